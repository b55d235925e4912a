import { describe, expect, it } from "@jest/globals";
import type { Respond } from "../../support/http-server.js";
import { startShopTool } from "../../support/shop-tool.js";

/** Sends a beginning, and nothing after it. */
const begin =
  (contentType: string, text: string): Respond =>
  (_request, response) => {
    response.writeHead(200, { "content-type": contentType });
    response.flushHeaders();
    if (text !== "") response.write(text);
  };

describe("a body that does not end", () => {
  it("is an answer with the events that came within wait", async () => {
    const { ask } = await startShopTool(
      begin("text/event-stream", 'data: {"n":1}\n\ndata: {"n":2}\n\n'),
    );
    const answer = await ask({ path: "/events", wait: 1 });
    expect(answer).toMatchObject({ status: 200, partial: { bytes: 30 } });
    expect(JSON.stringify(answer.data)).toMatch(/"?n\\?":2/);
    expect(answer.error).toBeUndefined();
    expect(answer).not.toHaveProperty("job");
  });

  it("is an answer when no event came", async () => {
    const { ask } = await startShopTool(begin("text/event-stream", ""));
    const answer = await ask({ path: "/events", wait: 1 });
    expect(answer).toMatchObject({ status: 200, partial: { bytes: 0 } });
    expect(answer.error).toBeUndefined();
  });

  it("ends after ten seconds of silence: as an answer with the rows that came, as an error when not a byte did", async () => {
    const { ask } = await startShopTool((request, response) =>
      begin("application/json", request.url === "/rows" ? '{"rows":[{"id":1},{"id":2}' : "")(
        request,
        response,
      ),
    );
    const [rows, nothing] = await Promise.all([ask({ path: "/rows" }), ask({ path: "/nothing" })]);
    expect(rows).toMatchObject({ data: { rows: [{ id: 1 }, { id: 2 }] }, partial: { bytes: 26 } });
    expect(rows.error).toBeUndefined();
    expect(nothing).toMatchObject({ status: 200, error: { category: "timeout" } });
  }, 20_000);
});

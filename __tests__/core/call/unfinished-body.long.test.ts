import { afterEach, describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { type HttpServer, type Respond, startHttpServer } from "../../support/http-server.js";

let api: HttpServer;
afterEach(() => api?.close());

async function call(respond: Respond, input: object): Promise<ReturnType<typeof JSON.parse>> {
  api = await startHttpServer(respond);
  const client = createSourceClient({ name: "Shop", api: { baseUrl: api.url } });
  return JSON.parse((await client.call({ method: "GET", path: "/events", ...input })).content);
}

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
    const answer = await call(begin("text/event-stream", 'data: {"n":1}\n\ndata: {"n":2}\n\n'), { wait: 1 });
    expect(answer).toMatchObject({ status: 200, partial: { bytes: 30 } });
    expect(JSON.stringify(answer.data)).toMatch(/"?n\\?":2/);
    expect(answer.error).toBeUndefined();
    expect(answer).not.toHaveProperty("job");
  });

  it("is an answer when no event came", async () => {
    const answer = await call(begin("text/event-stream", ""), { wait: 1 });
    expect(answer).toMatchObject({ status: 200, partial: { bytes: 0 } });
    expect(answer.error).toBeUndefined();
  });

  it("ends after ten seconds of silence: as an answer with the rows that came, as an error when not a byte did", async () => {
    api = await startHttpServer((request, response) =>
      begin("application/json", request.url === "/rows" ? '{"rows":[{"id":1},{"id":2}' : "")(
        request,
        response,
      ),
    );
    const client = createSourceClient({ name: "Shop", api: { baseUrl: api.url } });
    const ask = async (path: string) => JSON.parse((await client.call({ path })).content);
    const [rows, nothing] = await Promise.all([ask("/rows"), ask("/nothing")]);
    expect(rows).toMatchObject({ data: { rows: [{ id: 1 }, { id: 2 }] }, partial: { bytes: 26 } });
    expect(rows.error).toBeUndefined();
    expect(nothing).toMatchObject({ status: 200, error: { category: "timeout" } });
  }, 20_000);
});

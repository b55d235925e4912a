import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { createApiSourceTool } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";
import { isLongRun } from "../../support/long-run.js";

/** In the long run as much as a body may have, in the short one a little more than a document. */
const share = isLongRun ? 1 : 0.2;

/** By path: the media type and the body, which is sent as gzip. */
const bodies: Readonly<Record<string, readonly [type: string, make: () => string, note: RegExp]>> = {
  brackets: ["application/json", () => "[".repeat(9_900_000 * share), /nested deeper than 1,000 levels/],
  levels: [
    "application/json",
    () => "[".repeat(100_000) + "]".repeat(100_000),
    /nested deeper than 1,000 levels/,
  ],
  commas: ["text/csv", () => ",".repeat(9_900_000 * share), /more than (?:10,000 columns|2,000,000 values)/],
  tags: [
    "application/xml",
    () => `<?xml version="1.0"?>${"<a>".repeat(3_000_000 * share)}`,
    /nested deeper than 1,000 levels/,
  ],
};
const server = await startHttpServer((request, response) => {
  const [type = "", make = () => ""] = bodies[request.url.slice(1)] ?? [];
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
  response.end(gzipSync(make()));
});

describe("an answer with more structure than a document may have", () => {
  it.each(Object.entries(bodies))(
    "is shown as text, with a note, within its budget: %s",
    async (path, [, , note]) => {
      const tool = createApiSourceTool({ name: "Hostile", api: { baseUrl: server.url } });
      const content = String(await tool.invoke({ method: "GET", path: `/${path}` }));
      const answer = JSON.parse(content);
      expect(answer).toMatchObject({ status: 200, data: expect.any(String) });
      expect(answer.error).toBeUndefined();
      expect(answer.notes.join(" ")).toMatch(note);
      expect(content.length).toBeLessThan(40_000);
    },
  );
});

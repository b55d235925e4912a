/** Offsets of times in a query, and Content-Types with parameters: they arrive as they were meant. */

import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";

const server = await startHttpServer();
const client = createSourceClient({ name: "Shop", api: { baseUrl: server.url } });
const send = async (request: object) => {
  const { content } = await client.call(request as never);
  return { answer: JSON.parse(content), received: server.requests.at(-1) };
};

describe("`+` of an offset in a query", () => {
  it.each([
    "2026-01-01T00:00:00+02:00",
    "2026-01-01T00:00+02:00",
    "2026-01-01T00:00:00.123+0200",
    "2026-01-01T00:00:00+02",
    "2026-01-01 00:00:00+05:30",
    "00:00:00+01:00",
    // RFC 3339, section 5.8 has no basic form: ISO 8601-1, section 5.4.2.1, and Google's APIs for it.
    "20260101T000000+0200",
    "20260101T0000+02",
    // A range of ISO 8601-1, section 5.5; lists of Elasticsearch and Jira; OData 4.01 part 2, section 5.1.1.
    "2026-01-01T00:00:00+02:00/2026-01-02T00:00:00+02:00",
    "2026-01-01T00:00+02:00,2026-01-02T00:00+02:00",
    "[2026-01-01T00:00+02:00]",
  ])("of %s arrives in a path, a text and an object", async (time) => {
    const plain = time.replace(" ", "%20");
    const requests = [
      { method: "GET", path: `/a?since=${plain}` },
      { method: "GET", path: `/a?since=${plain.replaceAll(":", "%3A")}&x=1` },
      { method: "GET", path: "/a", query: `since=${plain}` },
      { method: "GET", path: "/a", query: { since: time } },
    ];
    for (const request of requests) {
      const { received } = await send(request);
      expect(new URL(received?.url ?? "", server.url).searchParams.get("since")).toBe(time);
    }
  });

  it.each(["a+b", "1+1", "12:00+x", "red+blue+2026", "10+20:30", "12:00+13:00+lunch", "T1234+5"])(
    "of %s stays a space",
    async (text) => {
      const { received } = await send({ method: "GET", path: `/a?q=${text}` });
      const arrived = new URL(received?.url ?? "", server.url).searchParams.get("q");
      expect(arrived).toBe(text.replaceAll("+", " "));
    },
  );
});

describe("a Content-Type of the caller's", () => {
  it.each<[string, unknown, string]>([
    ["application/json;odata=verbose", { a: 1 }, '{"a":1}'],
    ["application/json; odata.metadata=minimal", { a: 1 }, '{"a":1}'],
    ["application/json; charset=UTF-8; odata=verbose", { a: 1 }, '{"a":1}'],
    ["application/merge-patch+json; version=2", { a: 1 }, '{"a":1}'],
    ['application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"', { a: 1 }, '{"a":1}'],
    ["text/plain; version=0.0.4", "m 1", "m 1"],
    ["application/sparql-query", "ASK {}", "ASK {}"],
    ["application/sparql-update", "CLEAR ALL", "CLEAR ALL"],
    ["application/graphql", "{ me }", "{ me }"],
    ["application/jsonl", '{"a":1}\n', '{"a":1}\n'],
    ["application/x-jsonlines", '{"a":1}\n', '{"a":1}\n'],
    ["application/toml", "a = 1", "a = 1"],
    ["application/vnd.oai.openapi+yaml;version=3.1", "a: 1", "a: 1"],
    ["text/csv; header=present", "a,b\n", "a,b\n"],
    ["application/n-triples", "<a> <b> <c> .", "<a> <b> <c> ."],
  ])("%s is sent as it is written", async (type, body, text) => {
    const { received } = await send({
      method: "POST",
      path: "/a",
      body,
      headers: { "Content-Type": type },
    });
    expect(received?.headers["content-type"]).toBe(type);
    expect(received?.body).toBe(text);
  });

  it.each([
    "application/json; charset=utf-16",
    "text/plain; charset=latin1",
    "application/json; a",
    'application/json; a="b',
    "application/octet-stream",
    "multipart/mixed; boundary=x",
    "application/http; msgtype=request",
  ])("%s is refused", async (type) => {
    const { answer } = await send({
      method: "POST",
      path: "/a",
      body: "x",
      headers: { "Content-Type": type },
    });
    expect(answer.error.category).toBe("refused_by_policy");
  });
});

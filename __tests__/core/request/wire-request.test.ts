import { expect, it } from "@jest/globals";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { createWireRequest } from "../../../src/core/request/wire-request.js";

function build(api: Record<string, unknown>, request: Record<string, unknown>) {
  const source = parseSource({ api: { baseUrl: "https://api.example.com", ...api } });
  const resolved = { baseUrl: source.api.baseUrl, headers: source.api.headers, query: {} };
  const { wire } = createWireRequest({
    api: source.api,
    resolved,
    request: { method: "POST", path: "/x", ...request },
  });
  return { headers: { ...wire.headers }, body: wire.body && new TextDecoder().decode(wire.body) };
}

it.each([
  [{}, {}, { "Content-Type": "application/json" }, '{"a":1}'],
  [
    {},
    { "CONTENT-type": "application/merge-patch+json" },
    { "CONTENT-type": "application/merge-patch+json" },
    '{"a":1}',
  ],
  [
    {},
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/x-www-form-urlencoded" },
    "a=1",
  ],
  [
    { headers: { "content-Type": "application/x-www-form-urlencoded" } },
    {},
    { "content-Type": "application/x-www-form-urlencoded" },
    "a=1",
  ],
  [{ bodyFormat: "form" }, {}, { "Content-Type": "application/x-www-form-urlencoded" }, "a=1"],
  // The call decides before the record does.
  [
    { bodyFormat: "form" },
    { "content-type": "application/json" },
    { "content-type": "application/json" },
    '{"a":1}',
  ],
  [
    { bodyFormat: "json" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/x-www-form-urlencoded" },
    "a=1",
  ],
  [
    {
      bodyFormat: "form",
      headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
    },
    {},
    { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" },
    "a=1",
  ],
])(
  "a body's Content-Type appears once, and names how it is written (%j, %j)",
  (api, given, headers, body) => {
    expect(build(api, { headers: given, body: { a: 1 } })).toEqual({ headers, body });
  },
);

it("the agent's own idempotency key is kept, a write without one gets one, and a GET does not", () => {
  const api = { idempotencyHeader: "Idempotency-Key" };
  expect(build(api, { headers: { "idempotency-KEY": "k" } }).headers).toEqual({
    "Idempotency-Key": "k",
  });
  expect(build(api, {}).headers).toEqual({
    "Idempotency-Key": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(build(api, { method: "GET" }).headers).toEqual({});
});

it.each([{ allow: ["/y"] }, { deny: ["/x"] }])(
  "a record's paths %j are applied where the other is absent",
  (paths) => {
    expect(() => build({ paths }, {})).toThrow(
      expect.objectContaining({ category: "refused_by_policy" }),
    );
  },
);

it.each([
  { path: "/x?_method=DELETE" },
  { query: { _method: "DELETE" } },
  { headers: { "X-HTTP-Verb-Override": "DELETE" } },
  { body: { method: "DELETE" } },
])("another method beside the method is refused in %j", (request) => {
  const api = { methods: ["GET", "POST"], allowedHeaders: ["X-HTTP-Verb-Override"] };
  expect(() => build(api, request)).toThrow(
    expect.objectContaining({ category: "refused_by_policy" }),
  );
  expect(() => build({ ...api, methodParameter: "allow" }, request)).not.toThrow();
});

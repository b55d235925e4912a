// OpenAPI documents of at most 1 MB: calls that are compared with them before they are sent and when they failed, and each question of describe_api.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../world.mjs";

export async function openDoor({ fc, load, api, canary, hear, directory }) {
  const { createSourceClient } = await load("index.js");
  const file = join(directory, "document.json");
  const guide = join(directory, "guide.md");
  const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
  const letters = (seed, length) =>
    Array.from({ length }, (_, at) => "abcdefghijklmnopqrstuvwxyz"[(seed * 7 + at * (seed + 3)) % 26]).join(
      "",
    );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.record({ type: fc.constantFrom("string", "integer", "array", "object", "nothing", 7) }),
      fc.integer({ min: 1, max: 900 }).map((count) => ({
        type: "object",
        additionalProperties: false,
        required: ["a"],
        properties: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [letters(at, 57), { type: "string" }]),
        ),
      })),
      fc
        .integer({ min: 1, max: 9_000 })
        .map((count) => ({ enum: Array.from({ length: count }, (_, at) => (at % 3 ? `v${at}` : { at })) })),
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 20 }) }),
      fc.record({ allOf: fc.array(tie("schema"), { maxLength: 20 }) }),
      fc.constantFrom(
        { $ref: "#/components/schemas/Loop" },
        { $ref: "#/nothing" },
        { $ref: "../../etc/passwd" },
      ),
    ),
  }));
  const input = fc.record({
    schema,
    paths: fc.integer({ min: 0, max: 6_000 }),
    members: fc.integer({ min: 0, max: 3_000 }),
    rows: fc.integer({ min: 1, max: 300 }),
    path: fc.constantFrom("/a", "/b", `/${letters(3, 58)}/${letters(4, 40)}x`, `/${"a/".repeat(30)}b`),
    isList: fc.boolean(),
    refers: fc.boolean(),
    wide: fc.integer({ min: 1, max: 250 }),
    words: fc.oneof(
      textOf(fc),
      textOf(fc).map((text) => `# ${text}\n\nIt must be ${text}\n\n## ${text}`),
      fc.integer({ min: 1, max: 200_000 }).map((length) => `# a\n\n${"a".repeat(length)}`),
    ),
  });
  return {
    arbitrary: input,
    async run({ schema: given, paths, members, rows, path, isList, refers, wide, words }) {
      const others = Array.from({ length: paths }, (_, at) => [
        `/${letters(at, 57)}/${letters(at + 3, 30)}`,
        { get: {} },
      ]);
      const content = { "application/json": { schema: refers ? { $ref: "#/components/schemas/S0" } : given } };
      const nested = Array.from({ length: refers ? wide : 0 }, (_, at) => [
        `S${at}`,
        {
          allOf: [given, ...Array.from({ length: 60 }, (_, each) => ref(`S${(at * 7 + each) % wide}`))],
          properties: { [`p${at}`]: ref(`S${(at + 1) % wide}`) },
        },
      ]);
      const document = {
        openapi: "3.0.0",
        info: { title: "a", version: "1" },
        paths: {
          "/a": { post: { requestBody: { content }, responses: { 200: { content } } }, get: {} },
          ...Object.fromEntries(others),
        },
        components: { schemas: { Loop: { allOf: [ref("Loop"), given] }, ...Object.fromEntries(nested) } },
      };
      writeFileSync(
        file,
        JSON.stringify(document).slice(0, 1_000_000).length < 1_000_000 ? JSON.stringify(document) : "{}",
      );
      const settings = {
        baseUrl: api.baseUrl,
        authType: "bearer",
        openapi: file,
        guide,
        limits: { retries: 0, timeoutMs: 5_000 },
      };
      const client = createSourceClient(
        { name: "Shop", api: settings },
        { credentials: { shop: { token: canary } } },
      );
      const row = (count) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [letters(at + 901, 55), at]));
      const value = isList
        ? Array.from({ length: rows }, () => row(Math.ceil(members / rows)))
        : row(members);
      const body = JSON.stringify(value).slice(0, 1_000_000);
      // The first is answered unsent where a name is misspelt.
      for (const way of [path, `${path}?refuse=1`])
        hear("content", (await client.call({ method: "POST", path: way, body })).content);
      writeFileSync(guide, words);
      const described = createSourceClient({ name: "Shop", api: settings });
      for (const question of [
        {},
        { path },
        { path: "/" },
        { path: "/a", method: "POST" },
        { path, method: "PUT" },
        { find: `${words} orders of p7` },
        { guide: words },
      ]) {
        // What is not there is an answer, too.
        const told = await described.describe(question).catch((error) => {
          if (!/^(?:ApiSourceError|SourceRecordError)$/.test(error?.constructor?.name)) throw error;
          return error.message;
        });
        hear("description", told);
      }
    },
  };
}

/** No character that a reader can't see reaches a model or a record from a document; and a path with one is the API's path, or refused. */

import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { stringify } from "yaml";
import { readDescription } from "../../../src/cli/import/read-description.js";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { isLongRun } from "../../support/long-run.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();
const server = await startHttpServer((_request, response) =>
  sendJson(response, { message: "no" }, 422),
);

const range = (from: number, to = from): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
const controls = [...range(0x07), ...range(0x1b), ...range(0x7f), ...range(0x9b)];
const characters = [
  // Tags, and selectors of variants.
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe0102),
  ...range(0xfe00, 0xfe0f),
  // What turns the direction of writing.
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...range(0x061c),
  // Zero-width characters, fillers, soft hyphen, byte order mark, private use.
  ...range(0x200b, 0x200f),
  ...range(0x2060, 0x2064),
  ...[0xad, 0x34f, 0x115f, 0x180e, 0x3164, 0xffa0, 0xfeff, 0xe000].flatMap((code) => range(code)),
  ...controls,
];
const unseen = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/u;
/** Of the long ranges, which are treated alike, `npm test` takes a few. */
const tried = characters.filter(
  (character, index) => isLongRun || index % 16 === 0 || !/[\u{e0000}-\u{e01ef}]/u.test(character),
);
const table = tried.map(
  (character) => [`U+${character.codePointAt(0)?.toString(16)}`, character] as const,
);

/** The same document as it may be written. */
const writings = [
  (document: object) => JSON.stringify(document),
  (document: object) =>
    JSON.stringify(document).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  (document: object) => stringify(document),
] as const;

/** Everywhere the word `Pa` and the character after it. */
function makeOpenApi(word: string): object {
  const schema = {
    type: "object",
    title: word,
    description: word,
    properties: {
      [word]: { type: "string", enum: [word, `${word}2`], default: word, format: word },
      status: { type: "string", example: word },
    },
    required: [word, "status"],
  };
  const media = { [`application/${word}+json`]: { schema } };
  const operation = {
    operationId: word,
    summary: `${word} summary`,
    description: `${word} about`,
    tags: [word],
    parameters: [
      { name: `${word}id`, in: "path", required: true, schema: { type: "string", default: word } },
      {
        name: `${word}query`,
        in: "query",
        required: true,
        description: word,
        schema: { type: "string", enum: [word] },
      },
      { name: `X-${word}`, in: "header", required: true, schema: { const: word } },
    ],
    requestBody: { required: true, content: media },
    responses: { 200: { description: word, content: media }, [`4${word}`]: { description: word } },
  };
  return {
    openapi: "3.1.0",
    info: { title: word, version: word, description: word, summary: word },
    servers: [{ url: server.url, description: word }],
    paths: {
      [`/${word}/{${word}id}`]: { post: operation },
      "/plain": {
        get: { ...operation, parameters: [], security: [{ [word]: [] }] },
        $comment: word,
      },
      "/file": { $ref: `./${word}.json` },
    },
    components: {
      securitySchemes: {
        [word]: { type: "apiKey", in: "header", name: "X-Key", description: word },
      },
    },
  };
}

describe("a document with an invisible character", () => {
  it.each(table)(
    "%s shows none of it in any answer of describe_api, and its path is callable",
    async (_name, character) => {
      const word = `Pa${character}`;
      const index = characters.indexOf(character);
      const write = writings[index % writings.length] ?? stringify;
      const openapi = await folder.write("a.json", write(makeOpenApi(word)));
      const guide = await folder.write(
        "a.md",
        `# ${word} one\n\nAlways ${word}.\n\n## ${word} two\n\n\`\`\`\n${word}\n\`\`\`\n`,
      );
      const client = createSourceClient({
        name: "A",
        api: { baseUrl: server.url, openapi, guide },
      });
      const encoded = encodeURIComponent(character);
      const path = `/Pa${encoded}/{Paid}`;
      const operation = await client.describe({ path, method: "POST" });
      const answers: unknown[] = [
        await client.describe({}),
        await client.describe({ path: "/plain" }),
        await client.describe({ path: `/Pa${encoded}` }),
        await client.describe({ find: "summary" }),
        await client.describe({ guide: "Pa two" }),
        await client.describe({ path: "/nothing" }).catch(String),
        await client.describe({ guide: "nothing" }).catch(String),
        operation,
      ];
      const { example }: { readonly example?: { readonly path: string } } = operation;
      const called = {
        ...example,
        method: "POST",
        body: { Pa: "other", stat: 1 },
        query: { paquery: "1" },
      };
      for (const _time of [1, 2])
        answers.push(
          JSON.parse((await client.call(called as never, { threadId: character })).content),
        );
      expect(answers.filter((answer) => unseen.test(JSON.stringify(answer)))).toEqual([]);
      expect(JSON.stringify(answers)).not.toContain(JSON.stringify(character).slice(1, -1));
      const urls = server.requests.map(({ url }) => url);
      // The request policy refuses control characters, encoded or not.
      const isControl = controls.includes(character);
      expect(urls).toEqual(isControl ? [] : [`/Pa${encoded}/Pa?paquery=1`]);
      expect(JSON.stringify(answers.slice(-2))).toContain(
        isControl ? "refused_by_policy" : "Paquery",
      );
    },
  );
});

describe("a record made of a document with an invisible character", () => {
  it("has none of it in its texts", async () => {
    for (const [index, character] of characters.entries()) {
      const write = writings[index % 2] ?? stringify;
      const { record, notes } = await readDescription(write(makeOpenApi(`Pa${character}`)));
      const made = JSON.stringify([record, notes]);
      expect([character, unseen.test(made)]).toEqual([character, false]);
      expect(made).not.toContain(JSON.stringify(character).slice(1, -1));
      expect(parseSource({ ...record, name: "A" }).slug).toBe("a");
    }
  });
});

it("keeps a document without such characters as it is: letters of all alphabets, line breaks, tabs", async () => {
  const about = "Größe, размер, サイズ, 大小, ขนาด, 🙂\tend.";
  const document = {
    ...makeOpenApi("Pa"),
    info: { title: "Pa", version: "1" },
    paths: { "/größe": { get: { summary: about, responses: {} } } },
  };
  const client = createSourceClient({
    name: "A",
    api: { baseUrl: server.url, openapi: await folder.write("b.json", JSON.stringify(document)) },
  });
  expect(await client.describe({ path: "/größe" })).toMatchObject({
    map: `GET /größe: ${about.replace("\t", " ")}`,
  });
});

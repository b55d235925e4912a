import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ApiSourceRecord, ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { openEars } from "../../support/canary-toolkit.js";
import { type HttpServer, startHttpServer } from "../../support/http-server.js";

const secret = "sk-live-51HxQz2eZvKd9RmWt7YpLc4NbGfUa";
const maxBytes = 600;
let api: HttpServer;

const wrapped: Readonly<Record<string, readonly [type: string, write: (text: string) => string]>> = {
  text: ["text/plain", (text) => text],
  html: ["text/html", (text) => `<html><body><p>${text}</p></body></html>`],
  xml: ["application/xml", (text) => `<r><h>${text}</h></r>`],
  csv: ["text/csv", (text) => `a,b\n1,"${text}"\n`],
  json: ["application/json", (text) => JSON.stringify({ echo: text })],
};

const encoded: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in JSON escapes": (text) =>
    [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in hexadecimal": (text) => Buffer.from(text).toString("hex"),
};

/** How an API takes a credential apart that it echoes: `{1}` its beginning, `{2}` the rest, `{3}` the rest with a reference first. */
const split: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "an element in XML": ["application/xml", "<r><h>{1}<b/>{2}</h></r>"],
  "a comment in XML": ["application/xml", "<r><h>{1}<!-- x -->{2}</h></r>"],
  "a section in XML": ["application/xml", '<r a="1"><h>{1}<![CDATA[{2}]]></h></r>'],
  "an element in HTML": ["text/html", "<html><body><p>{1}<b>{2}</b></p></body></html>"],
  "references in HTML": ["text/html", "<html><body><p>{1}<i></i>{3}</p></body></html>"],
};

function splitUp(body: string, text: string): string {
  const [first, rest] = [text.slice(0, 15), text.slice(15)];
  const parts = [body, first, rest, `&#${rest.charCodeAt(0)};${rest.slice(1)}`];
  return body.replace(/\{(\d)\}/g, (_all, which) => parts[which] ?? "");
}

const lead = (body: string): string => `echo ${body} key: `;

beforeAll(async () => {
  api = await startHttpServer(({ url, headers, body }, response) => {
    const { pathname, searchParams } = new URL(url, "http://local");
    const credential = `${headers.authorization}`.replace("Bearer ", "");
    const how = decodeURIComponent(pathname.split("/").at(-1) ?? "");
    const [type, write] = wrapped[how] ?? ["text/plain", String];
    const encode = encoded[searchParams.get("as") ?? ""] ?? String;
    const [typeOfSplit, parts] = split[how] ?? [];
    response.writeHead(200, { "Content-Type": typeOfSplit ?? type });
    response.end(
      parts === undefined ? write(`${lead(body)}${encode(credential)} end`) : splitUp(parts, credential),
    );
  });
});
afterAll(() => api.close());

type Ask = (name: string, args: unknown) => Promise<{ content: string; artifact: { responseId?: string } }>;

async function open(
  options: ClientOptions,
  limits = {},
): Promise<{ ask: Ask; heard: () => string; toolkit: ApiSourceToolkit }> {
  const ears = openEars();
  const record: ApiSourceRecord = {
    name: "A",
    api: { baseUrl: api.url, authType: "bearer", limits: { retries: 0, ...limits } },
  };
  const toolkit = await ApiSourceToolkit.fromSources([record], { ...ears.options, ...options });
  const ask: Ask = async (name, args) => {
    const tool = toolkit.getTools().find((one) => one.name === name);
    const message = await tool?.invoke({ type: "tool_call", id: "c", name, args } as never);
    ears.hear("message", message);
    return message;
  };
  return { ask, toolkit, heard: () => ears.heard.map(({ text }) => text).join("\n") };
}

/** All stretches of the encoded secret that give four characters away. */
function findPieces(text: string, encode: (text: string) => string): string[] {
  const form = encode(secret);
  const width = Math.ceil((4 * form.length) / secret.length) + (form.includes("\n") ? 2 : 1);
  const pieces = Array.from({ length: form.length - width + 1 }, (_, at) => form.slice(at, at + width));
  return pieces.filter((piece) => text.includes(piece) || text.includes(JSON.stringify(piece).slice(1, -1)));
}

describe("an answer that is truncated in an echoed credential", () => {
  const cases = Object.keys(wrapped).flatMap((how) =>
    Object.keys(encoded)
      .filter((name) => how === "text" || name === "as it is")
      .map((name) => [how, name] as const),
  );

  it.each(cases)(
    "shows no four characters of it in %s, %s, wherever that is",
    async (how, name) => {
      const { ask, heard, toolkit } = await open({ credentials: { a: { token: secret } } }, { maxBytes });
      const encode = encoded[name] ?? String;
      const frame = wrapped[how]?.[1](lead("")) ?? "";
      // An encoded character is at most six long: behind 70 everything repeats. The cases together try each place.
      const begin = 1 + (cases.findIndex(([one, other]) => one === how && other === name) % 4);
      for (let shown = begin; shown <= Math.min(70, encode(secret).length + 3); shown += 4) {
        const length = maxBytes - Math.max(frame.indexOf(lead("")), 0) - lead("").length - shown;
        const { content, artifact } = await ask("a", {
          method: "POST",
          path: `/${how}?as=${encodeURIComponent(name)}`,
          body: `[${"1".repeat(length - 2)}]`,
        });
        expect(content).toContain("partial");
        if (artifact.responseId !== undefined) await toolkit.readResponse(artifact.responseId);
      }
      expect(findPieces(heard(), encode)).toEqual([]);
    },
    60_000,
  );
});

describe("an error that quotes what was given", () => {
  it("shows no four characters of a credential in it, wherever it is truncated", async () => {
    const { ask, heard } = await open({ credentials: { a: { token: secret } } }, { maxTokens: 60 });
    for (let length = 0; length < 260; length += 3) {
      const text = `${"a ".repeat(length)}${secret}`;
      for (const input of [{ select: `'${text}' (` }, { path: `/../${text}` }, { headers: { [text]: "x" } }])
        await ask("a", { method: "GET", path: "/text", ...input });
    }
    expect(findPieces(heard(), String)).toEqual([]);
  }, 60_000);
});

describe.each([
  ["in the options", { a: { token: secret } }],
  ["from a function", () => ({ token: secret })],
] as const)("a credential %s that an answer shows in pieces", (_, credentials) => {
  it.each(Object.keys(split))("is in no value that is read, kept or asked for: %s", async (how) => {
    const { ask, heard, toolkit } = await open({ credentials }, { maxTokens: 200 });
    const path = `/${encodeURIComponent(how)}`;
    const whole = await ask("a", { method: "GET", path });
    expect(whole.content).toContain("[REDACTED]");
    for (const select of ["@", "to_string(@)", "reverse(to_string(@))", "join('', split(to_string(@), '-'))"])
      await ask("a", { method: "GET", path, select });
    const kept = await ask("a", { method: "POST", path, select: "'nothing'", body: {} });
    const id = kept.artifact.responseId;
    expect(id).toBeDefined();
    const rests = [{}, { select: "to_string(@)" }, { select: "reverse(to_string(@))" }, { find: "live" }];
    for (const rest of rests) await ask("read_api_response", { id, ...rest });
    const value = JSON.stringify(await toolkit.readResponse(String(id)));
    expect(value).toContain("[REDACTED]");
    const reversed = [...secret].reverse().join("");
    const joined = secret.replaceAll("-", "");
    for (const text of [heard(), value]) {
      for (const form of [secret, reversed, joined]) expect(text).not.toContain(form);
    }
  });

  it.each([
    ["reverse(echo)", "dne ]DETCADER[ :yek  ohce"],
    ["echo[11:25]", "[REDACTED] end"],
    ["echo[::-1]", "dne ]DETCADER[ :yek  ohce"],
    ["join('', split(echo, ''))", "echo  key: [REDACTED] end"],
    ["replace(echo, 'key', 'k')", "echo  k: [REDACTED] end"],
    ["to_array(echo)", ["echo  key: [REDACTED] end"]],
  ])("gives %s only what is left of it, then and later", async (select, expected) => {
    const { ask, heard } = await open({ credentials }, {});
    const first = await ask("a", { method: "GET", path: "/json", select });
    expect(JSON.parse(first.content).data).toEqual(expected);
    const kept = await ask("a", { method: "POST", path: "/json", select: "'nothing'" });
    const later = await ask("read_api_response", { id: kept.artifact.responseId, select });
    expect(JSON.parse(later.content).data).toEqual(expected);
    expect(heard()).not.toContain(secret);
  });
});

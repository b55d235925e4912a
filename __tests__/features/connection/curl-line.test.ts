/** Every curl line that the package writes: of a connection test, of `call --curl`, and of the inspector. */

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ApiSourceToolkit, createSourceClient, testConnection } from "langchain-api-sources";
import { createInspector } from "langchain-api-sources/inspector";
import { quoteWord, VariableMarks } from "../../../src/core/base/shell-word.js";
import { type ReceivedRequest, startHttpServer } from "../../support/http-server.js";
import { runsOf } from "../../support/long-run.js";
import { useDirectory } from "../../support/temporary-directory.js";
import { visitPage } from "../../support/visit-page.js";

const run = promisify(execFile);
const directory = useDirectory();
const api = await startHttpServer();

beforeEach(() => mkdirSync(directory("here")));

const credentials = {
  SHOP_TOKEN: `t0k'e"n $(touch x) \`touch x\` \\ !`,
  SHOP_TENANT: "tenant-4711-of-the-test",
};
const record = (own: string) => ({
  name: "Shop",
  api: {
    baseUrl: `${api.url}/v1`,
    testEndpoint: "/me",
    authType: "bearer" as const,
    allowedHeaders: ["X-Trace", "Content-Type"],
    headers: { "X-Own": `${own}\${SHOP_TENANT}` },
    query: { own },
  },
});
const { SHOP_TOKEN: token, SHOP_TENANT: tenant } = credentials;
const options = { credentials: { shop: { token } }, secrets: { SHOP_TENANT: tenant } };

/** What the shell gives to curl. */
type CurlRequest = Pick<ReceivedRequest, "method" | "url" | "body" | "headers">;

/** In place of the program: prints how many arguments it is given, and these. None of them contains NUL. */
const curl = `curl() { printf '%s\\0' "$#" "$@"; }`;

/** What curl is given by each of the lines, typed one after the other in a real shell: nothing else may run. */
async function runLines(lines: readonly string[]): Promise<CurlRequest[]> {
  for (const line of lines) {
    // A terminal takes Ctrl-C in a pasted line as typed: what follows would be a line of its own.
    expect(line).not.toMatch(/[^\P{Cc}\n]/u);
    // zsh passes NUL on, and the argument ends there.
    expect(line).not.toContain("\\000");
  }
  const env = { ...credentials, PATH: process.env["PATH"] };
  const script = [curl, ...lines].join("\n");
  const { stdout } = await run("/bin/sh", ["-c", script], { env, cwd: directory("here") });
  expect(readdirSync(directory("here"))).toEqual([]);
  const printed = stdout.split("\0").slice(0, -1);
  const calls: CurlRequest[] = [];
  for (let at = 0; at < printed.length; at += Number(printed[at]) + 1)
    calls.push(readArguments(printed.slice(at + 1, at + 1 + Number(printed[at]))));
  expect(calls).toHaveLength(lines.length);
  return calls;
}

function readArguments(given: readonly string[]): CurlRequest {
  const after = (option: string): string[] =>
    given.filter((_word, index) => given[index - 1] === option);
  const headers = after("-H").map((header) => {
    const [, name = "", value = ""] = /^([^:;]+)(?:: |;$)(.*)$/s.exec(header) ?? [];
    return [name.toLowerCase(), value];
  });
  const [method = "GET"] = after("-X");
  const [body = ""] = after("--data-raw");
  const url = (given.at(-1) ?? "").slice(api.url.length);
  return { method, url, body, headers: Object.fromEntries(headers) };
}

function expectSame(
  line: CurlRequest | undefined,
  sent: ReceivedRequest | undefined,
  hidden: object = {},
): void {
  const { method, url, body = "", headers } = sent ?? {};
  const listed = Object.keys(line?.headers ?? {}).map((name) => [name, headers?.[name]]);
  expect(listed.length).toBeGreaterThan(2);
  const known = { ...Object.fromEntries(listed), ...hidden };
  expect(line).toEqual({ method, url, body: body.replaceAll("\0", ""), headers: known });
}

const tricks = [
  ..."\0\n\r\t\u0003\u0004\u001b\u007f\u0085'\"\\`$!;&|<>(){}[]*?~#%=+-_.,:/@^ aZ1é\u202e😀",
  ...[
    "\0(touch x)\0",
    "$(touch x)",
    "`touch x`",
    "'; touch x; '",
    "\n touch x\n",
    "${HOME}",
    "\u001b[201~",
  ],
  ...["zq0v8k3w5jx0qz", "zq1v8k3w5jx1qz", "\0SHOP_TOKEN\0", "$SHOP_TOKEN", "%s", "\\0", "!!"],
];
const isVisible = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
const text = fc.array(fc.constantFrom(...tricks), { maxLength: 12 }).map((parts) => parts.join(""));
const header = fc
  .array(fc.constantFrom(...tricks.filter(isVisible)), { maxLength: 8 })
  .map((parts) => parts.join("").trim());
const own = header.filter((value) => !value.includes("${"));

const inspector = createInspector();
const toolkit = await ApiSourceToolkit.fromSources([record("")], {
  ...options,
  onCall: inspector.onCall,
});
const page = await inspector.start(toolkit);
const visit = await visitPage(page.url);
afterAll(() => page.close());

it("gives curl what was sent, as text, and runs nothing else", async () => {
  const [shop] = toolkit.listClients();
  const client = createSourceClient(record(""));
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(text, text, header, own, async (body, query, trace, constant) => {
      const headers = { "X-Trace": trace, "Content-Type": "text/plain" };
      const input = { method: "POST", path: "/orders", query: { q: query }, headers, body };
      await shop?.call(input);
      calls += 1;
      const sent = api.requests.at(-1);
      const shown = await visit.getJson(`/call?id=${calls}`);
      expect(shown["curlNotes"]).toHaveLength(body.includes("\0") ? 1 : 0);
      const written = await client.preview(input);
      expect(written.notes).toEqual(shown["curlNotes"]);
      const before = api.requests.length;
      const tested = await testConnection(record(constant), options);
      const lines = [String(shown["curl"]), written.curl, tested.curl ?? ""];
      const [inspected, previewed, probed] = await runLines(lines);
      expectSame(inspected, sent, { "x-own": "[REDACTED]" });
      expectSame(previewed, sent);
      expectSame(probed, api.requests[before]);
    }),
    { numRuns: runsOf(300) },
  );
});

it("names no variable that a shell cannot have", () => {
  const marks = new VariableMarks();
  expect(quoteWord(`k: ${marks.mark('X"; touch x; "')}`, marks)).toBe('"k: $CREDENTIAL"');
});

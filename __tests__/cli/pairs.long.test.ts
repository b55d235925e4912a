/** Any two commands: the second loses no setting, record or variable of the first without a question. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { openCommandLine } from "../support/command-line.js";

const pairs = 30;
const { cwd, list, put, read, run } = await openCommandLine("cli-pairs");

/** Every value there is, by its place: members of records, and variables. */
async function readValues(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      for (const [name, member] of Object.entries(value)) add(`${place} ${name}`, member);
    else found.set(place, JSON.stringify(value));
  };
  for (const name of await list("sources").catch(() => []))
    add(name, JSON.parse(await read(`sources/${name}`)));
  const text = await read(".env").catch(() => "");
  for (const line of text.split("\n").filter((each) => each !== ""))
    found.set(line.split("=")[0] ?? "", line);
  return found;
}

async function clear(): Promise<void> {
  for (const name of await list()) await rm(join(cwd, name), { recursive: true });
  const api = {
    baseUrl: "https://api.acme.example/a",
    authType: "header",
    headerName: "X-Key",
    methods: ["PUT"],
    headers: { "X-Tenant": "z", "X-App-Key": "${ACME_X_APP_KEY}" },
    paths: { deny: ["/never/**"], allow: ["/always/**"] },
    testEndpoint: "/zero",
    bodyFormat: "multipart",
    paging: { next: "zero" },
    limits: { retries: 7 },
  };
  await put("sources/acme.json", { name: "Acme", slug: "acme", tagline: "zero", api });
  await put(".env", "ACME_TOKEN=tok-0\nACME_X_APP_KEY=app-0\n");
}

const flag = (name: string, ...values: string[]): fc.Arbitrary<string[]> =>
  fc.constantFrom(...values).map((value) => [name, value]);
const recordFlags = fc
  .subarray(
    [
      flag("--tagline", "one", "two"),
      flag("--name", "Acme", "Other"),
      flag("--methods", "GET", "GET,POST"),
      flag("--deny", "/admin/**", "/internal/**"),
      flag("--allow", "/a/**", "/b/**"),
      flag("--header", "X-Tenant: a", "X-Tenant: b", "X-More: c"),
      flag("--test-endpoint", "/me", "/user"),
      flag("--auth", "bearer", "none", "basic"),
      flag("--body-format", "form", "json"),
      flag("--paging", "none", '{"page":"query:p"}'),
      flag("--base-url", "https://api.acme.example/a", "https://api.acme.example/b"),
    ],
    { minLength: 1 },
  )
  .chain((flags) => fc.tuple(...flags))
  .map((flags) => flags.flat());

const line = (key: string): string =>
  `curl https://api.acme.example/v1/me -H 'Authorization: Bearer ${key}-0123456789' -H 'X-App-Key: ${key}-app-0123456789'\n`;
const openapi = {
  openapi: "3.0.0",
  info: { title: "Acme", version: "1" },
  servers: [{ url: "https://api.acme.example/a" }],
  paths: { "/me": { get: { summary: "Who" } }, "/orders": { get: {} } },
};

interface Given {
  readonly args: string[];
  readonly input?: string;
}

const slugs = fc.constantFrom("acme", "acme", "acme", "other");
const given: fc.Arbitrary<Given> = fc.oneof(
  { arbitrary: recordFlags.map((flags) => ({ args: ["add", "--no-test", ...flags] })), weight: 3 },
  {
    arbitrary: fc
      .tuple(slugs, recordFlags)
      .map(([slug, flags]) => ({ args: ["add", "--no-test", "--slug", slug, ...flags] })),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(slugs, recordFlags).map(([slug, flags]) => ({ args: ["set", slug, ...flags] })),
    weight: 3,
  },
  fc
    .constantFrom("one", "two")
    .map((key) => ({ args: ["add", "--from", "-", "--no-test"], input: line(key) })),
  slugs.map((slug) => ({ args: ["add", "--from", "api.json", "--no-test", "--slug", slug] })),
  {
    arbitrary: fc
      .constantFrom("tok-1", "tok-2")
      .map((input) => ({ args: ["set", "acme", "--secret-stdin"], input })),
    weight: 2,
  },
  fc.constant<Given>({ args: ["remove", "acme"] }),
  slugs.map((slug) => ({ args: ["set", slug, "--unset", "methods"] })),
  fc.constantFrom("list", "env").map((name) => ({ args: [name] })),
);

async function runGiven({ args, input = "" }: Given): Promise<{ code: number; stderr: string }> {
  await put("api.json", openapi);
  return run(args, { input });
}

/** The second command of a pair, without an answer to its questions or with `--yes`. */
async function runPair(first: Given, second: Given, agrees: boolean): Promise<void> {
  await clear();
  await runGiven({ ...first, args: [...first.args, "--yes"] });
  const before = await readValues();
  const { code, stderr } = await runGiven(agrees ? { ...second, args: [...second.args, "--yes"] } : second);
  const after = await readValues();
  expect([0, 1, 2]).toContain(code);
  const lost = [...before].filter(([place, value]) => after.get(place) !== value);
  if (!agrees) expect(lost).toEqual([]);
  // With --yes the answer was given in advance: each value that goes was named. `remove` names the source.
  if (second.args[0] === "remove") return;
  for (const [place] of lost) expect(stderr).toContain(place.split(" ").slice(1).join(".") || place);
}

it(`loses nothing in ${pairs} pairs of commands, and names with --yes what it replaces`, async () => {
  const property = fc.asyncProperty(given, given, async (first, second) => {
    for (const agrees of [false, true]) await runPair(first, second, agrees);
  });
  await fc.assert(property, { numRuns: pairs, seed: 20_261_122 });
}, 60_000);

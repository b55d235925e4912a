/** How many attacks are held, and how many harmless runs: the table of docs/security.md holds the same figures. */

import { expect, it } from "@jest/globals";
import type { CallContext, SourceClient, TransportFunction } from "langchain-api-sources";
import { readTable } from "../support/documents.js";
import { encodeEverywhere } from "../support/encode-everywhere.js";
import { type Attack, makeAttacks, makeHarmlessRuns, paraphrase } from "../support/flow-runs.js";
import { openPayroll } from "../support/payroll.js";
import { asRequest } from "../support/unchecked.js";

const attacks = 500;
const harmless = 300;

interface Sources {
  readonly payroll: SourceClient;
  readonly tickets: SourceClient;
}

/** What each source answers a GET with, by its host. */
const answers = new Map<string, unknown>();
const transport: TransportFunction = async ({ url }) => {
  const { hostname, pathname } = new URL(url);
  if (pathname === "/photo.bin")
    return {
      status: 200,
      headers: { "content-type": "application/octet-stream" },
      body: Buffer.from([0, 159, 146, 150]),
    };
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(answers.get(hostname) ?? {}),
  };
};

async function open(): Promise<Sources> {
  const toolkit = await openPayroll("https://payroll.example", "https://tickets.example", {
    flow: "refuse",
    transport,
    maxTokens: 20_000,
  });
  const [payroll, tickets] = toolkit.listClients();
  if (payroll === undefined || tickets === undefined) throw new Error("No sources.");
  return { payroll, tickets };
}

const post = (body: unknown, headers?: object): object => ({
  method: "POST",
  path: "/tickets",
  body,
  ...(headers && { headers }),
});
const multipart = { "Content-Type": "multipart/form-data" };

/** The requests of each class; it is held where one of them is. */
function listRequests(attack: Attack, fileId: string): ReadonlyMap<string, readonly object[]> {
  const { value } = attack;
  const ascii = encodeURIComponent(value);
  const half = Math.ceil(value.length / 2);
  const encoded = encodeEverywhere(value).map(({ name, text }): [string, object[]] => [
    name === "raw" ? "verbatim" : `encoded: ${name}`,
    [post({ subject: "Question", text: `It is ${text} as requested` })],
  ]);
  return new Map([
    ...encoded,
    ["JSON in JSON", [post({ payload: JSON.stringify({ inner: JSON.stringify({ value }) }) })]],
    ["URL path", [{ path: `/tickets/${ascii.replaceAll("%2F", "-")}` }]],
    ["URL query", [{ path: "/tickets", query: { q: value } }]],
    ["header", [{ path: "/tickets", headers: { "X-Note": ascii } }]],
    ["text in a file", [post({ file: { $text: `The value:\n${value}\n`, name: "a.txt" } }, multipart)]],
    ["file of the source", [post({ $file: fileId })]],
    ["split in two calls", [post({ text: value.slice(0, half) }), post({ text: value.slice(half) })]],
    ["paraphrased", [post({ text: paraphrase(attack) })]],
  ]);
}

/** Whether a request was not sent, by the rule on confidential values and no other. */
async function isHeld(client: SourceClient, request: object, context: CallContext): Promise<boolean> {
  const { content } = await client.call(asRequest({ method: "GET", ...request }), context);
  const { status, error } = JSON.parse(content);
  if (error === undefined && status === 200) return false;
  expect(error).toMatchObject({ code: "confidential_values" });
  return true;
}

it(`holds the shares of ${attacks} attacks for each class and of ${harmless} harmless runs that docs/security.md names`, async () => {
  const { payroll, tickets } = await open();
  const held = new Map<string, { held: number; of: number }>();
  const count = (name: string, isOne: boolean): void => {
    const { held: before, of } = held.get(name) ?? { held: 0, of: 0 };
    held.set(name, { held: before + Number(isOne), of: of + 1 });
  };
  for (const [at, attack] of makeAttacks(attacks).entries()) {
    const context = { threadId: `attack ${at}` };
    answers.set("payroll.example", { people: attack.people });
    await payroll.call({ path: "/people" }, context);
    const { artifact } = await payroll.call({ path: "/photo.bin" }, context);
    for (const [name, requests] of listRequests(attack, artifact.file?.id ?? "")) {
      const results: boolean[] = [];
      for (const request of requests) results.push(await isHeld(tickets, request, context));
      count(name.replace(/^encoded: .*/, "each encoding of the redactor"), results.includes(true));
    }
  }
  const all: boolean[] = [];
  for (const [at, { kind, people, userText, listed, sent }] of makeHarmlessRuns(harmless).entries()) {
    const context = { threadId: `harmless ${at}`, context: { userText } };
    answers.set("tickets.example", listed);
    answers.set("payroll.example", { people });
    await tickets.call({ path: "/tickets" }, context);
    await payroll.call({ path: "/people" }, context);
    const isOne = await isHeld(tickets, post(sent), context);
    count(`harmless: ${kind}`, isOne);
    all.push(isOne);
  }
  held.set("harmless, all", { held: all.filter(Boolean).length, of: all.length });
  const measured = [...held].map(([name, { held, of }]) => [name, `${held} of ${of}`]);
  console.log(measured.map((row) => row.join(": ")).join("\n"));
  expect(readTable("docs/security.md", "Class").map((row) => row.slice(0, 2))).toEqual(measured);
}, 900_000);

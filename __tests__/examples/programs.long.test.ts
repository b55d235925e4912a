/** The examples print what they say they show, and no secret. */

import { beforeAll, expect, it } from "@jest/globals";
import { shopCredentials, shopUsers } from "../../examples/shop-server.js";
import { compilePrograms, runProgram } from "../support/compiled-programs.js";

let directory = "";
beforeAll(async () => {
  ({ directory } = await compilePrograms({ folder: "examples-test", folders: ["examples"] }));
}, 60_000);

async function run(name: string): Promise<string> {
  const { stdout, stderr } = await runProgram(`${directory}/examples/${name}.js`);
  expect(stderr).toBe("");
  const { bearer, header, query, basic } = shopCredentials;
  const secrets = [bearer, header, query, basic.password, shopUsers.ben];
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
  return stdout;
}

it("four-auth-types shows what each puts on the wire, and that each credential is what lets the call in", async () => {
  const stdout = await run("four-auth-types");
  const received = [...stdout.matchAll(/server received {2}(.*)/g)].map(([, line]) => line);
  expect(received).toEqual([
    "GET /bearer/me  [Authorization: Bearer ***]",
    "GET /header/me  [X-Api-Key: ***]",
    "GET /query/me?api_key=***  [?api_key=***]",
    "GET /basic/me  [Authorization: Basic ***]",
  ]);
  expect(stdout.match(/model saw {8}\{"status":200/g)).toHaveLength(4);
  expect(stdout.match(/ok, credential verified: true/g)).toHaveLength(4);
});

it("a-source-that-does-not-work goes from report to report to one that is ok", async () => {
  const stdout = await run("a-source-that-does-not-work");
  const verdicts = [...stdout.matchAll(/^ {3}(\w+)(?: \(status \d+\))?$/gm)].map(([, verdict]) => verdict);
  expect(verdicts).toEqual([
    "missing_credentials",
    "invalid_credentials",
    "not_found",
    "ok",
    "invalid_record",
    "refused",
  ]);
  expect(stdout.match(/^ {3}Fix: /gm)).toHaveLength(5);
  expect(stdout).toContain("the server received GET /header/me [no credential] and answered 401");
});

it("one-service-many-users keeps credentials, kept responses and failures of users apart", async () => {
  const stdout = await run("one-service-many-users");
  const told = [...stdout.matchAll(/^ {2}(\w+) +asks (\w+) .*\n((?: {9}server.*\n)*) {9}told (.*)$/gm)].map(
    ([, user, tool, sent = "", answer = ""]) => [
      user,
      tool,
      /\[(.*)\]/.exec(sent)?.[1],
      /"(?:category":"(\w+)|status":(\d+))/.exec(answer)?.slice(1).join(""),
    ],
  );
  const [ada, ben] = ["Authorization: Bearer ***", "Authorization: Bearer *** of ben"];
  expect(told).toEqual([
    ["ada", "shop", ada, "200"],
    ["ben", "shop", ben, "200"],
    ["cleo", "shop", undefined, "not_configured"],
    ["ada", "shop", ada, "200"],
    ["ada", "read_api_response", undefined, "200"],
    ["ben", "read_api_response", undefined, "not_found"],
    ["ben", "shop", ada, "401"],
    ["ada", "shop", ada, "200"],
  ]);
});

it("a-job shows a job and its result by one call, one that fails, and one that outlasts the wait", async () => {
  const stdout = await run("a-job");
  const calls = [...stdout.matchAll(/model calls {2}(.*)/g)].map(([, args = ""]) => JSON.parse(args));
  expect(calls.map(({ method, path, wait }) => [method, path, wait])).toEqual([
    ["POST", "/exports/orders", 45],
    ["POST", "/exports/invoices", 45],
    ["POST", "/exports/everything", 2],
    ["GET", "/exports/everything", 45],
  ]);
  expect(stdout).toContain("The export has 1204 rows.");
  expect(stdout).toContain('"category":"job_failed"');
  expect(stdout).toContain("The invoices of May are locked.");
  expect(stdout).toContain("The export has 90311 rows.");
  expect(stdout.match(/server received POST/g)).toHaveLength(3);
});

it("files changes a text and copies a binary file in two calls each, and shows no byte of it", async () => {
  const stdout = await run("files");
  expect(stdout.match(/^ {2}(?:drive|backup) \{/gm)).toHaveLength(4);
  expect(stdout).toContain(String.raw`"milk\nrye bread\napples\n"`);
  expect(stdout).toContain("the copy is equal: true");
  expect(stdout.length).toBeLessThan(3_000);
});

it("code-over-apis joins two APIs in one run, and sends one write after a person approved it, and nothing twice", async () => {
  const stdout = await run("code-over-apis");
  expect(stdout).toMatch(/"data":\{"customers":\d+,"orders":\d+,"best":"[^"]+","spent":\d+\}/);
  expect(stdout).toMatch(/run_api_code: \{"data":"ord_new\d+"/);
  expect(stdout.match(/after the decision: .*/g)).toEqual(["after the decision: POST /header/orders 201"]);
  expect(stdout.match(/before the decision: (?!GET)/g)).toBeNull();
});

it("approve-a-write sends what was approved, once, changed as a person changed it, and nothing that was rejected", async () => {
  const stdout = await run("approve-a-write");
  const [first = "", second = ""] = stdout.split("And an office chair.");
  expect(first.match(/decided: \w+/g)?.sort()).toEqual(["decided: approve", "decided: reject"]);
  expect(first).toContain("requests that reached the shop so far: 0");
  expect(first).toMatch(/Done: order ord_new\d+ was placed\. That is over the budget\./);
  expect(first.match(/the shop received .*/g)).toEqual([
    "the shop received POST /header/orders and answered 201",
  ]);
  expect(second).toMatch(/decided: edit[\s\S]*Done: order ord_new\d+ was placed\./);
  expect(second.match(/the shop received .*/g)).toHaveLength(1);
});

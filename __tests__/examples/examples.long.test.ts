import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { questions } from "../../examples/scripted-model.js";
import { shopCredentials, shopUsers } from "../../examples/shop-server.js";
import { compilePrograms, runProgram } from "../support/compiled-programs.js";
import { codesOf, readTable } from "../support/documents.js";

let directory = "";
beforeAll(async () => {
  ({ directory } = await compilePrograms({ folder: "demo-test", folders: ["examples"] }));
}, 60_000);

/** What an example prints: no error, and no secret. */
async function run(name: string): Promise<string> {
  const { stdout, stderr } = await runProgram(`${directory}/examples/${name}.js`, {
    // The compiled examples are links here: a program reads the records beside the link.
    nodeOptions: ["--preserve-symlinks", "--preserve-symlinks-main"],
  });
  expect(stderr).toBe("");
  const { bearer, header, query, basic } = shopCredentials;
  const pair = Buffer.from(`${basic.username}:${basic.password}`).toString("base64");
  const secrets = [bearer, header, query, basic.password, pair, shopUsers.ben];
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
  return stdout;
}

describe("npm run demo", () => {
  let transcript = "";
  let blocks: string[] = [];

  beforeAll(async () => {
    transcript = await run("demo");
    blocks = transcript.split("━━━ ").slice(1);
  });

  it("states that a scripted model plays the model's part", () => {
    expect(transcript).toContain("scripted one (LangChain's fakeModel)");
  });

  it("names the tool of each source and the reader", () => {
    const names = [
      "shop_admin",
      "shop_customers",
      "shop_orders",
      "shop_reports",
      "read_api_response",
    ];
    expect(names.filter((name) => !new RegExp(`^ {2}${name} `, "m").test(transcript))).toEqual([]);
  });

  it("answers every question", () => {
    expect(blocks.map((block) => block.split("\n", 1)[0])).toEqual(
      questions.map((question, index) => `Question ${index + 1}: ${question}`),
    );
    for (const block of blocks) expect(block.match(/^ {2}model answers {4}\S/gm)).toHaveLength(1);
  });

  it("answers from what the tools gave", () => {
    const answers = transcript.match(/(?<=^ {2}model answers {4}).*$/gm);
    expect(answers).toEqual([
      "There are 161 paid orders; together EUR 41849.55.",
      "Done: order ord_new520 is pending.",
      "One export is queued. For the other: Wait 1 second before you try again, or give `wait`: 1. Other parts of the API may still answer.",
      "Demo shop has 23 German customers, the first of them Ember Logistics 5.",
      `I can't do that: The path "/../basic/me" has a "." or ".." segment, plain or in disguise.`,
    ]);
  });

  it("shows what the server received for each authType, with the credential masked", () => {
    for (const line of [
      "GET /header/orders?status=paid&limit=500  [X-Api-Key: ***]  and answered 200",
      "POST /header/orders  [X-Api-Key: ***]  and answered 422",
      "POST /header/orders  [X-Api-Key: ***]  and answered 201",
      "POST /query/exports?api_key=***  [?api_key=***]  and answered 202",
      "GET /basic/me  [Authorization: Basic ***]  and answered 200",
      "GET /bearer/customers?per_page=100&country=DE  [Authorization: Bearer ***]  and answered 200",
    ]) {
      expect(transcript).toContain(`server received  ${line}`);
    }
  });

  it("sends nothing for a kept response, a quota at zero, and a path above the base URL", () => {
    expect(transcript.match(/server received {2}nothing/g)).toHaveLength(3);
  });
});

describe("an example with a model", () => {
  it("first-agent looks at the customer, counts the orders, and answers", async () => {
    const stdout = await run("first-agent");
    expect(stdout).toContain('- GET /orders: orders; query {"customer_id":1000}');
    expect(stdout.match(/server received {2}GET/g)).toHaveLength(2);
    expect(stdout).toContain("model answers    Ember Logistics 5 (tier plus) has 5 orders.");
  });

  it("explore-a-long-list sees a view, asks what was kept, and reads all pages in one call", async () => {
    const stdout = await run("explore-a-long-list");
    expect(stdout).toMatch(/\[… \d+ more lines …\]/);
    expect(stdout).toContain('"pages": { "read": 6, "rows": 520, "complete": true }');
    expect(stdout.match(/server received {2}nothing/g)).toHaveLength(2);
    expect(stdout).toContain("model answers    Refunded orders go to Arles");
  });
});

describe("an example", () => {
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
    const verdicts = [...stdout.matchAll(/^ {3}(\w+)(?: \(status \d+\))?$/gm)].map(
      ([, verdict]) => verdict,
    );
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
    const told = [
      ...stdout.matchAll(/^ {2}(\w+) +asks (\w+) .*\n((?: {9}server.*\n)*) {9}told (.*)$/gm),
    ].map(([, user, tool, sent = "", answer = ""]) => [
      user,
      tool,
      /\[(.*)\]/.exec(sent)?.[1],
      /"(?:category":"(\w+)|status":(\d+))/.exec(answer)?.slice(1).join(""),
    ]);
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
    const calls = [...stdout.matchAll(/model calls {2}(.*)/g)].map(([, args = ""]) =>
      JSON.parse(args),
    );
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
    expect(stdout.match(/after the decision: .*/g)).toEqual([
      "after the decision: POST /header/orders 201",
    ]);
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
});

describe("the examples", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const names = Object.keys(scripts).filter(
    (name) => name === "demo" || name.startsWith("example:"),
  );
  const programs = names.map((name) => name.replace(/^example:/, ""));

  it("each have a row in examples/README.md, and a command", () => {
    const rows = readTable("examples/README.md", "Program").map(([cell = ""]) => codesOf(cell)[0]);
    expect(rows.sort()).toEqual(names.map((name) => `npm run ${name}`).sort());
    const files = readdirSync("examples").filter((name) => name.endsWith(".ts"));
    const page = readFileSync("examples/README.md", "utf8");
    const unnamed = files.filter(
      (file) => !programs.includes(file.slice(0, -3)) && !page.includes(`\`${file}\``),
    );
    expect(unnamed).toEqual([]);
  });

  it("have fewer than 120 lines each", () => {
    const long = programs.filter(
      (name) => readFileSync(`examples/${name}.ts`, "utf8").split("\n").length > 120,
    );
    expect(long).toEqual([]);
  });
});

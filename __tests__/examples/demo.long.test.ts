import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { questions } from "../../examples/scripted-model.js";
import { shopCredentials } from "../../examples/shop-server.js";
import { compilePrograms, runProgram } from "../support/compiled-programs.js";
import { codesOf, readTable } from "../support/documents.js";

let directory = "";
beforeAll(async () => {
  ({ directory } = await compilePrograms({ folder: "demo-test", folders: ["examples"] }));
}, 60_000);

describe("npm run demo", () => {
  let transcript = "";
  let blocks: string[] = [];

  beforeAll(async () => {
    const { stdout, stderr } = await runProgram(`${directory}/examples/demo.js`);
    transcript = stdout;
    blocks = stdout.split("━━━ ").slice(1);
    expect(stderr).toBe("");
  });

  it("states that a scripted model plays the model's part", () => {
    expect(transcript).toContain("scripted one (LangChain's fakeModel)");
  });

  it("names the tool of each source and the reader", () => {
    const names = ["shop_admin", "shop_customers", "shop_orders", "shop_reports", "read_api_response"];
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

  it("shows no credential", () => {
    const { bearer, header, query, basic } = shopCredentials;
    const pair = Buffer.from(`${basic.username}:${basic.password}`).toString("base64");
    expect(
      [bearer, header, query, basic.password, pair].filter((secret) => transcript.includes(secret)),
    ).toEqual([]);
  });
});

describe("an example with a model", () => {
  async function run(name: string): Promise<string> {
    const { stdout, stderr } = await runProgram(`${directory}/examples/${name}.js`);
    expect(stderr).toBe("");
    expect(stdout).not.toContain(shopCredentials.bearer);
    return stdout;
  }

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

  it("summaries-by-a-model shows the summary beside the view, and the view alone", async () => {
    const stdout = await run("summaries-by-a-model");
    expect(stdout).toContain("summary: Orders of a shop");
    expect(stdout).toContain(
      "The summarizer's model failed; the projection is shown. { source: 'shop', error: 'Error: overloaded' }",
    );
    expect(stdout).toContain("summary: none");
  });
});

describe("the examples", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const names = Object.keys(scripts).filter((name) => name === "demo" || name.startsWith("example:"));
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

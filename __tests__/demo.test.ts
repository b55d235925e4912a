import { beforeAll, describe, expect, it } from "@jest/globals";
import { questions } from "../examples/scripted-model.js";
import { shopCredentials } from "../examples/shop-server.js";
import { compilePrograms, runProgram } from "./support/compiled-programs.js";

describe("npm run demo", () => {
  let transcript = "";
  let blocks: string[] = [];

  beforeAll(async () => {
    const { directory } = await compilePrograms({ folder: "demo-test", folders: ["examples"] });
    const { stdout, stderr } = await runProgram(`${directory}/examples/demo.js`);
    transcript = stdout;
    blocks = stdout.split("━━━ ").slice(1);
    expect(stderr).toBe("");
  }, 60_000);

  it("says that a scripted model plays the model's part", () => {
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
      "One export is queued. For the other: Wait 1 second before you try again. Other parts of the API may still answer.",
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

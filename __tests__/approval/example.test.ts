import { describe, expect, it } from "@jest/globals";
import { shopCredentials } from "../../examples/shop-server.js";
import { compilePrograms, runProgram } from "../support/compiled-programs.js";

describe("npm run example:approve-a-write", () => {
  it("sends what was approved, once, changed as a person changed it, and nothing that was rejected", async () => {
    const { directory } = await compilePrograms({ folder: "approve-test", folders: ["examples"] });
    const { stdout, stderr } = await runProgram(`${directory}/examples/approve-a-write.js`);
    expect(stderr).toBe("");
    const [first = "", second = ""] = stdout.split("And an office chair.");
    expect(first.match(/decided: \w+/g)?.sort()).toEqual(["decided: approve", "decided: reject"]);
    expect(first).toContain("requests that reached the shop so far: 0");
    expect(first).toMatch(/Done: order ord_new\d+ was placed\. That is over the budget\./);
    expect(first.match(/the shop received .*/g)).toEqual([
      "the shop received POST /header/orders and answered 201",
    ]);
    expect(second).toMatch(/decided: edit[\s\S]*Done: order ord_new\d+ was placed\./);
    expect(second.match(/the shop received .*/g)).toHaveLength(1);
    expect(stdout).not.toContain(shopCredentials.header);
  }, 60_000);
});

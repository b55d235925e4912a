import { describe, expect, it } from "@jest/globals";
import { shopCredentials } from "../../examples/shop-server.js";
import { compilePrograms, runProgram } from "../support/compiled-programs.js";

describe("npm run example:code-over-apis", () => {
  it("joins two APIs in one run, and sends one write after a person approved it, and nothing twice", async () => {
    const { directory } = await compilePrograms({ folder: "code-example-test", folders: ["examples"] });
    const { stdout, stderr } = await runProgram(`${directory}/examples/code-over-apis.js`);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/"data":\{"customers":\d+,"orders":\d+,"best":"[^"]+","spent":\d+\}/);
    expect(stdout).toMatch(/run_api_code: \{"data":"ord_new\d+"/);
    expect(stdout.match(/after the decision: .*/g)).toEqual(["after the decision: POST /header/orders 201"]);
    expect(stdout.match(/before the decision: (?!GET)/g)).toBeNull();
    expect(stdout).not.toContain(shopCredentials.header);
  }, 90_000);
});

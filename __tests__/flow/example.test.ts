import { describe, expect, it } from "@jest/globals";
import { compilePrograms, runProgram } from "../support/compiled-programs.js";

describe("npm run example:salaries-stay", () => {
  it("asks about the request that repeats payroll data, without the data, and sends the one that does not", async () => {
    const { directory } = await compilePrograms({ folder: "flow-test", folders: ["examples"] });
    const { stdout, stderr } = await runProgram(`${directory}/examples/salaries-stay.js`);
    expect(stderr).toBe("");
    expect(stdout).toContain("payroll: salary (text)");
    expect(stdout).toContain("payroll: iban (id)");
    expect(stdout).toContain("requests that reached the ticket system so far: 0");
    expect(stdout.match(/the ticket system received .*/g)).toEqual([
      'the ticket system received POST /tickets/12/comments {"text":"The next payment is on 2026-11-25."}',
    ]);
    expect(stdout).not.toMatch(/84,500|DE89/);
  }, 60_000);
});

import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

it("no test expects anything of elapsed or processor time, which a loaded machine makes longer", () => {
  const files = readdirSync("__tests__", { recursive: true, encoding: "utf8" });
  const onClock = files
    .filter((name) => name.endsWith(".test.ts") && name !== "no-clock.test.ts")
    .filter((name) =>
      /cpuUsage|hrtime|EventLoopDelay|(?:performance|Date)\.now\(\) - /.test(
        readFileSync(`__tests__/${name}`, "utf8"),
      ),
    );
  expect(onClock).toEqual([]);
});

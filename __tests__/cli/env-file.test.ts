import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { parse } from "dotenv";
import { editEnvFile } from "../../src/cli/env-file.js";
import { useDirectory } from "../support/temporary-directory.js";

const directory = useDirectory();

describe("a value with a line break", () => {
  it("is one line of the environment file, which dotenv reads back", async () => {
    const path = directory("one.env");
    await writeFile(path, "FIRST=1\n");
    const value = "t0ps3cret\nNODE_OPTIONS=--inspect\n";
    await editEnvFile(path, { SHOP_TOKEN: value, LAST: "2" });
    const text = await readFile(path, "utf8");
    expect(text.split("\n")).toHaveLength(4);
    expect(parse(text)).toEqual({ FIRST: "1", SHOP_TOKEN: value, LAST: "2" });
  });

  it.each(['a"\nB=1', "a\\\nB=1", "a\rB=1", "a\r\nB=1"])(
    "is refused where no one line can hold it",
    async (value) => {
      const path = directory("two.env");
      await expect(editEnvFile(path, { SHOP_TOKEN: value })).rejects.toThrow("SHOP_TOKEN can't be written");
    },
  );
});

import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { parse } from "dotenv";
import { editEnvFile } from "../../src/cli/env-file.js";
import { useDirectory } from "../support/temporary-directory.js";

const directory = useDirectory();

it.each(["a'b", 'a"b', "a b#c", "a\\b", "a=$B", "ä`"])(
  "a value is read back by dotenv: %s",
  async (value) => {
    const path = directory("one.env");
    await writeFile(path, "FIRST=1\n");
    await editEnvFile(path, { SHOP_TOKEN: value, LAST: "2" });
    expect(parse(await readFile(path, "utf8"))).toEqual({
      FIRST: "1",
      SHOP_TOKEN: value,
      LAST: "2",
    });
  },
);

it.each(["a\nB=1", "a\rB=1", "a\0", "'\"`"])(
  "a value is refused where no line can hold it, which may look like another variable: %j",
  async (value) => {
    const path = directory("two.env");
    await expect(editEnvFile(path, { SHOP_TOKEN: value })).rejects.toThrow(
      "SHOP_TOKEN can't be written",
    );
  },
);

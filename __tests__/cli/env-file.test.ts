import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { parse } from "dotenv";
import { editEnvFile } from "../../src/cli/env-file.js";
import { useDirectory } from "../support/temporary-directory.js";

const directory = useDirectory();

const dangerous = 'x $(touch ran) `touch ran` ${HOME} !! \\ " ; touch ran & # ~';

it.each([
  "a'b",
  'a"b',
  "a b#c",
  "a\\b",
  "a=$B",
  "ä`",
  "$(touch ran)",
  "`touch ran`",
  "a;touch ran",
  dangerous,
])(
  "a value is read back by dotenv and by a shell that sources the file, and nothing of it runs: %s",
  async (value) => {
    const path = directory("one.env");
    await writeFile(path, "FIRST=1\n");
    await editEnvFile(path, { SHOP_TOKEN: value, LAST: "2" });
    expect(parse(await readFile(path, "utf8"))).toEqual({
      FIRST: "1",
      SHOP_TOKEN: value,
      LAST: "2",
    });
    const script = `set -a; . ./one.env; node -p 'JSON.stringify(process.env.SHOP_TOKEN)'`;
    const { stdout } = spawnSync("sh", ["-c", script], { cwd: directory(""), encoding: "utf8" });
    expect(JSON.parse(stdout)).toBe(value);
    expect(existsSync(directory("ran"))).toBe(false);
  },
);

it.each([
  "a\nB=1",
  "a\rB=1",
  "a\0",
  "'\"`",
  "it's $(touch ran)",
  "it's `id`",
  "it's \\",
  "it's !1",
  "a b\\",
])(
  "a value is refused where no line can hold it, or a shell would change or run it: %j",
  async (value) => {
    const path = directory("two.env");
    await expect(editEnvFile(path, { SHOP_TOKEN: value })).rejects.toThrow(
      "SHOP_TOKEN can't be written",
    );
  },
);

it.each(["\ufeffSHOP_TOKEN=old\nLAST=2\n", "SHOP_TOKEN: old\nLAST=2\n"])(
  "a variable goes wherever dotenv reads one: %j",
  async (text) => {
    const path = directory("three.env");
    await writeFile(path, text);
    expect(parse(await readFile(path, "utf8"))["SHOP_TOKEN"]).toBe("old");
    await editEnvFile(path, { SHOP_TOKEN: "new" });
    expect(await readFile(path, "utf8")).not.toContain("old");
    await editEnvFile(path, { SHOP_TOKEN: undefined });
    expect(parse(await readFile(path, "utf8"))).toEqual({ LAST: "2" });
  },
);

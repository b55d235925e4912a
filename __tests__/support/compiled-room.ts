/** Sources compiled to plain JavaScript in a directory of their own, for processes that run no TypeScript. */

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { transform } from "@swc/core";

export interface CompiledRoom {
  /** Holds what `src` holds, as far as it was asked for. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** Compiles folders of `src` with the files that every folder may import. */
export async function compileRooms(rooms: readonly string[]): Promise<CompiledRoom> {
  const directory = await mkdtemp(join(tmpdir(), "compiled-room-"));
  const listed = await Promise.all(
    [...rooms, "secrets"].map(async (room) => {
      await mkdir(join(directory, room));
      const names = await readdir(join("src", room));
      return names.filter((name) => name.endsWith(".ts")).map((name) => join(room, name));
    }),
  );
  const files = ["errors.ts", "runtime.ts", "text.ts", ...listed.flat()];
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  await symlink(resolve("node_modules"), join(directory, "node_modules"));
  await Promise.all(
    files.map(async (file) => {
      const { code } = await transform(await readFile(join("src", file), "utf8"), {
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "es6" },
      });
      await writeFile(join(directory, dirname(file), `${basename(file, ".ts")}.js`), code);
    }),
  );
  return { directory, remove: () => rm(directory, { recursive: true }) };
}

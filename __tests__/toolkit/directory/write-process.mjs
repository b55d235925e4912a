// Writes records into a directory as fast as it can until it is killed: `node write-process.mjs DIRECTORY NAME`.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [directory, name, compiled] = process.argv.slice(2);
const { SourceDirectory } = await import(
  pathToFileURL(resolve(compiled, "toolkit/directory/source-directory.js")).href
);
const sources = await SourceDirectory.open(directory);
process.stdout.write("ready\n");
for (let turn = 0; ; turn += 1) {
  await sources.put({
    name,
    tagline: `${turn} ${"long enough that a write takes a moment ".repeat(500)}`,
    api: { baseUrl: `https://${name}.example`, authType: "bearer" },
  });
}

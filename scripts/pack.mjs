/** The tarball that `npm publish` would upload, built now. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** @returns the path of the tarball, in that folder */
export function packInto(folder) {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  const output = execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  return join(folder, JSON.parse(output)[0].filename);
}

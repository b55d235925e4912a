// Runs every example that package.json names, one after the other, with what is compiled already (`npm run build:examples`).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const programs = Object.entries(scripts)
  .filter(([name]) => name === "demo" || name.startsWith("example:"))
  .map(([, command]) => command.split(" ").at(-1));
for (const program of programs) {
  const startedMs = Date.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    encoding: "utf8",
    timeout: 60_000,
  });
  const isFine = status === 0 && stdout.trim() !== "" && stderr === "";
  console.log(`${isFine ? "ok  " : "FAIL"} ${program} (${Date.now() - startedMs} ms)`);
  if (isFine) continue;
  console.log(`${stdout}\n${stderr}`);
  process.exitCode = 1;
}

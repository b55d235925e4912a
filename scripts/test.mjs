// `npm test`: lint and types are checked beside the tests, which wait for servers and processes a part of their time. The tests show their
// progress; a check shows its text when it has ended.
// node scripts/test.mjs [arguments for jest …]
import { spawn } from "node:child_process";

const [checked, tested] = await Promise.all([
  runChecks(["lint", "typecheck"]),
  runScript("jest", "inherit", process.argv.slice(2)),
]);
process.exitCode = checked && tested ? 0 : 1;

/** One after the other, so that the tests keep most of the processors. @returns whether all of them succeeded */
async function runChecks(names) {
  let isRight = true;
  for (const name of names) isRight = (await runScript(name, "pipe")) && isRight;
  return isRight;
}

/** @returns whether the script of package.json succeeded */
function runScript(name, output, args = []) {
  const child = spawn("npm", ["run", name, "--", ...args], {
    stdio: ["ignore", output, output],
    shell: process.platform === "win32",
  });
  const texts = [];
  child.stdout?.on("data", (text) => texts.push(text));
  child.stderr?.on("data", (text) => texts.push(text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => {
      process.stdout.write(Buffer.concat(texts));
      resolve(status === 0);
    });
  });
}

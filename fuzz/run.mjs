// Plays hostile input at each door of the package: `npm run fuzz -- [--seconds 60] [--seed N] [--door NAME] [--most-ms 500]`.
// A door has a process of its own. What breaks an invariant is printed, and its input is written to .cache/fuzz.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const option = (name, preset) => (args.includes(name) ? args[args.indexOf(name) + 1] : preset);
const seconds = Number(option("--seconds", "60"));
const seed = Number(option("--seed", String(Date.now() % 1_000_000)));
// Machines are shared: `.ci/run` fails only for a block of five seconds.
const mostMs = Number(option("--most-ms", "500"));
const folder = new URL("./doors/", import.meta.url);
const all = readdirSync(folder).map((file) => file.replace(/\.mjs$/, ""));
const doors = option("--door") === undefined ? all : [option("--door")];

/** A door that says nothing for so long is blocked: its process is ended. */
const silenceMs = 60_000;

function playDoor(door) {
  const program = fileURLToPath(new URL("./play-door.mjs", import.meta.url));
  const words = ["--max-old-space-size=1024", "--no-warnings", program, door, seconds, seed, mostMs].map(
    String,
  );
  const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return new Promise((resolve) => {
    let summary;
    let isSilent = false;
    let timer;
    const listen = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isSilent = true;
        child.kill("SIGKILL");
      }, silenceMs);
    };
    listen();
    child.on("message", (message) => {
      listen();
      if (message.summary !== undefined) summary = message.summary;
    });
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      const failure = isSilent ? `was blocked for ${silenceMs} ms` : `ended with ${signal ?? code}`;
      resolve(summary ?? { door, failures: [failure], inputs: 0, longestMs: silenceMs });
    });
  });
}

let failed = 0;
for (const door of doors) {
  const { failures, inputs, longestMs } = await playDoor(door);
  failed += failures.length === 0 ? 0 : 1;
  console.log(`${door}: ${inputs} inputs, longest block ${Math.round(longestMs)} ms, seed ${seed}`);
  for (const failure of failures.slice(0, 5)) console.log(`  ${failure}`);
}
process.exitCode = failed === 0 ? 0 : 1;

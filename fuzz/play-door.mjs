// Plays one door, and checks after each input: nothing outside the base URL, no canary, no block of the event loop, no crash.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { findCanary, startHostileApi } from "./world.mjs";

const [door, seconds, seed, mostMs] = process.argv
  .slice(2)
  .map((word, at) => (at === 0 ? word : Number(word)));
const rooms = resolve(".cache/rooms");
// A door may change the working directory.
const findings = resolve(".cache/fuzz");
const failures = [];
let current;
const fail = (what) => {
  mkdirSync(findings, { recursive: true });
  const file = join(findings, `${door}-${seed}-${failures.length}.json`);
  if (failures.length < 20) writeFileSync(file, JSON.stringify(current, null, 1) ?? "");
  failures.push(`${what} (input: ${file})`);
};
let isOpen = false;
process.on("uncaughtException", (error) => {
  fail(`uncaught: ${error?.stack ?? error}`);
  if (isOpen) return;
  console.error(error);
  process.exit(1);
});
process.on("unhandledRejection", (error) => {
  throw error;
});

const api = await startHostileApi();
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [first] = Array.isArray(given[0]) ? given[0] : given;
  const target = Number(first?.port ?? first);
  if (target !== api.port) fail(`a connection to ${first?.host}:${target}`);
  return connect.apply(this, given);
};

// The time of a gap between two beats, as far as this process computed in it: a machine that is busy elsewhere is not a block.
let longestMs = 0;
let last = { wall: performance.now(), cpu: process.cpuUsage() };
const beat = () => {
  const { user, system } = process.cpuUsage(last.cpu);
  const blockedMs = Math.min(performance.now() - last.wall, (user + system) / 1_000);
  if (isPlaying && blockedMs > longestMs) longestMs = blockedMs;
  if (isPlaying && blockedMs > mostMs) fail(`a block of ${Math.round(blockedMs)} ms`);
  last = { wall: performance.now(), cpu: process.cpuUsage() };
};
let isPlaying = false;
setInterval(beat, 10);

const heard = [];
const hear = (exit, value) => heard.push([exit, value]);
const check = () => {
  for (const [exit, value] of heard.splice(0)) {
    const found = findCanary(value, api.canary);
    if (found !== undefined) fail(`a canary at ${exit}: ${found}`);
  }
  for (const url of api.urls.splice(0))
    if (!/^\/base(?:[/?]|$)/.test(url)) fail(`a request outside the base path: ${url}`);
};

const { openDoor } = await import(`./doors/${door}.mjs`);
const directory = mkdtempSync(join(tmpdir(), "fuzz-"));
const load = (path) => import(pathToFileURL(join(rooms, path)).href);
// What a door needs and lacks ends its process.
const opened = await openDoor({ fc, load, api, canary: api.canary, hear, directory });
isOpen = true;
const play = async (input) => {
  const timeout = new Promise((_, reject) => {
    setTimeout(reject, 30_000, new Error("no answer in 30 s")).unref();
  });
  await Promise.race([opened.run(input), timeout]).catch((error) => {
    hear("error", [error?.message, error?.stack, error?.hint, error?.problems]);
    const names = ["ApiSourceError", "SourceRecordError", "CommandError", "CommanderError", "Interrupted"];
    if (!names.includes(error?.constructor?.name) && opened.isExpected?.(error) !== true)
      fail(`a crash: ${error?.stack ?? error}`);
  });
  check();
};
// The first input loads what every later one uses.
await play(fc.sample(opened.arbitrary, { seed, numRuns: 1 })[0]);
await new Promise((done) => setTimeout(done, 50));
isPlaying = true;
const endMs = performance.now() + seconds * 1_000;
let inputs = 0;
for (let batch = 0; performance.now() < endMs; batch += 1) {
  for (const input of fc.sample(opened.arbitrary, { seed: seed + batch, numRuns: 10 })) {
    if (performance.now() > endMs) break;
    current = input;
    process.send?.({ inputs });
    // Making an input is not a block of the package.
    last = { wall: performance.now(), cpu: process.cpuUsage() };
    await play(input);
    beat();
    inputs += 1;
    await new Promise((done) => setImmediate(done));
    last = { wall: performance.now(), cpu: process.cpuUsage() };
  }
}
isPlaying = false;
await opened.close?.();
process.send?.({ summary: { door, failures, inputs, longestMs } }, () => process.exit(0));

/** Runs one piece of the player's JavaScript in a context of its own; requests go through the parent, which holds the credential. */

import { createContext, runInContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

const waiting = new Map();
const lines = [];

parentPort.on("message", ({ id, response, error }) => {
  const { resolve, reject } = waiting.get(id);
  if (error !== undefined) return reject(new Error(error));
  const { status, headers, text } = response;
  const isJson = headers["content-type"]?.includes("json");
  resolve({ status, headers, data: isJson ? JSON.parse(text) : text });
});

const request = (input) =>
  new Promise((resolve, reject) => {
    const id = waiting.size;
    waiting.set(id, { resolve, reject });
    parentPort.postMessage({ request: input, id });
  });
const write = (value) =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
const log = (...values) => lines.push(values.map(write).join(" "));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

try {
  const context = createContext({ request, sleep, console: { log }, URLSearchParams });
  const value = await runInContext(`(async () => {\n${workerData.code}\n})()`, context);
  if (value !== undefined) log(value);
} catch (error) {
  log(`Error: ${error?.message ?? error}`);
}
parentPort.postMessage({ text: lines.join("\n") });

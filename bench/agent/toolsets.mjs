/** Six kinds of tools for the same API. Each opens as `{ tools, close }`; a tool takes a plain input and answers with a string. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { describeFleet } from "./description.mjs";
import { token } from "./server.mjs";

const longest = 20_000;
const about = "The API of Sykkel, rental bikes in five cities. GET / lists what there is.";

const requestSchema = z.object({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().describe("with the query, such as /things?page=2"),
  body: z.any().nullish().describe("a JSON value"),
  headers: z.record(z.string(), z.string()).nullish(),
});

const truncate = (text) =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest)}\n[truncated: ${text.length} characters in all]`;

/** Sends one request with the credential, as the plain tools do: `{ status, headers, text }`. */
async function send(baseUrl, { method = "GET", path, body, headers = {} }) {
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: { "content-type": "application/json", ...headers, authorization: `Bearer ${token}` },
    ...(body === undefined || body === null
      ? {}
      : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const unimportant = ["connection", "date", "keep-alive", "transfer-encoding", "content-length"];
  const shown = [...response.headers].filter(([name]) => !unimportant.includes(name));
  return {
    status: response.status,
    headers: Object.fromEntries(shown),
    text: await response.text(),
  };
}

const writeHead = ({ status, headers }) =>
  [status, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");

/** Strict modes send null for what is left out. */
const dropNulls = (input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

/** A tool whose failure is its answer. */
const plainTool = (name, description, schema, answer) =>
  tool(
    async (input) => {
      try {
        return truncate(await answer(dropNulls(input)));
      } catch (error) {
        return `Error: ${error instanceof Error ? error.message : error}`;
      }
    },
    { name, description, schema },
  );

async function openToolkit({ baseUrl, dist, openapi }) {
  const { ApiSourceToolkit } = await import(dist);
  const api = {
    baseUrl,
    authType: "bearer",
    testEndpoint: "/",
    ...(openapi === undefined ? {} : { openapi }),
  };
  const record = { name: "Sykkel", tagline: about, api };
  return ApiSourceToolkit.fromSources([record], { credentials: { sykkel: { token } } });
}

/** The tools of the toolkit: one for the source, or with `combined` the one for all sources. */
async function getTools({ combined = false, ...options }) {
  return (await openToolkit(options)).getTools({ combined });
}

/** This package: one tool for the API and `read_api_response`. */
async function openPackage(options) {
  return { tools: await getTools(options), close: () => {} };
}

/** The same with the API's description: `describe_api`, and mistakes answered before they are sent. */
async function openDescribed(options) {
  const folder = mkdtempSync(join(tmpdir(), "bench-described-"));
  const openapi = join(folder, "sykkel.json");
  writeFileSync(openapi, JSON.stringify(describeFleet(options.baseUrl)));
  const close = () => rmSync(folder, { recursive: true });
  return { tools: await getTools({ ...options, openapi }), close };
}

/** The same, and `run_api_code`. */
async function openCode(options) {
  const toolkit = await openToolkit(options);
  const load = (file) => import(new URL(file, options.dist).href);
  // Bundled, or compiled file by file.
  const { createApiCodeTool } = await load("code.js").catch(() =>
    load("extras/code/create-api-code-tool.js"),
  );
  return {
    tools: [
      ...toolkit.getTools({ combined: options.combined ?? false }),
      createApiCodeTool(toolkit, { writes: "allow" }),
    ],
    close: () => {},
  };
}

/** The tool that most people write: the response's text, cut at 20,000 characters. */
async function openCut({ baseUrl }) {
  const request = async (input) => {
    const response = await send(baseUrl, input);
    return `${writeHead(response)}\n\n${response.text}`;
  };
  return { tools: [plainTool("request", about, requestSchema, request)], close: () => {} };
}

/** Bodies become files, to be searched with `grep` and read in parts. */
async function openFiles({ baseUrl }) {
  const folder = mkdtempSync(join(tmpdir(), "bench-agent-"));
  const texts = new Map();
  const textOf = (file) => {
    if (!texts.has(file))
      throw new Error(`There is no file ${file}. Files: ${[...texts.keys()].join(", ")}`);
    return readFileSync(texts.get(file), "utf8");
  };
  const request = async (input) => {
    const response = await send(baseUrl, input);
    if (response.text.length <= 1000) return `${writeHead(response)}\n\n${response.text}`;
    const file = `${texts.size + 1}.txt`;
    texts.set(file, join(folder, file));
    // One value a line, so that grep finds lines and not the whole body.
    const text =
      response.text.startsWith("{") || response.text.startsWith("[")
        ? JSON.stringify(JSON.parse(response.text), null, 1)
        : response.text;
    writeFileSync(join(folder, file), text);
    return `${writeHead(response)}\n\nSaved as ${file}, ${text.split("\n").length} lines. It begins:\n${text.slice(0, 500)}`;
  };
  const grep = async ({ pattern, file, context = 0, count = false }) => {
    const lines = textOf(file).split("\n");
    const expression = new RegExp(pattern, "i");
    const hits = lines.flatMap((line, index) => (expression.test(line) ? [index] : []));
    if (count) return `${hits.length} lines`;
    const near = new Set(
      hits.flatMap((hit) => Array.from({ length: 2 * context + 1 }, (_, at) => hit - context + at)),
    );
    return (
      lines
        .flatMap((line, index) => (near.has(index) ? [`${index + 1}:${line}`] : []))
        .join("\n") || "no line"
    );
  };
  const read = async ({ file, line = 1, lines = 100 }) =>
    textOf(file)
      .split("\n")
      .slice(line - 1, line - 1 + lines)
      .join("\n");
  const file = z.string();
  const number = z.number().int().nullish();
  const tools = [
    plainTool(
      "request",
      `${about} A body of more than 1,000 characters is saved as a file.`,
      requestSchema,
      request,
    ),
    plainTool(
      "grep",
      "Lines of a saved file that match a regular expression, with their numbers.",
      z.object({ pattern: z.string(), file, context: number, count: z.boolean().nullish() }),
      grep,
    ),
    plainTool(
      "read_file",
      "Lines of a saved file.",
      z.object({ file, line: number, lines: number }),
      read,
    ),
  ];
  return { tools, close: () => rmSync(folder, { recursive: true }) };
}

/** JavaScript in a worker. `node:vm` is no fence against hostile code; here only the benchmark's player writes it. */
async function openSandbox({ baseUrl }) {
  const description = `${about} Runs JavaScript, the body of an async function, for at most 30 seconds. \`await request({ method, path, body, headers })\` gives { status, headers, data } of a call to the API. The answer is what is returned, and what console.log was given. Nothing is kept from run to run.`;
  const run = ({ code }) =>
    new Promise((resolve) => {
      const worker = new Worker(new URL("./sandbox-worker.mjs", import.meta.url), {
        workerData: { code },
      });
      const end = (text) => {
        clearTimeout(timer);
        worker.terminate().then(() => resolve(text));
      };
      const timer = setTimeout(end, 30_000, "Error: 30 seconds are over.");
      worker.on("error", (error) => end(`Error: ${error.message}`));
      worker.on("message", ({ request, id, text }) => {
        if (request === undefined) return end(text);
        send(baseUrl, request).then(
          (response) => worker.postMessage({ id, response }),
          (error) => worker.postMessage({ id, error: error.message }),
        );
      });
    });
  return {
    tools: [plainTool("run_javascript", description, z.object({ code: z.string() }), run)],
    close: () => {},
  };
}

/** How each kind is opened, by its name on the command line. */
export const kinds = {
  package: openPackage,
  described: openDescribed,
  code: openCode,
  cut: openCut,
  files: openFiles,
  sandbox: openSandbox,
};

/** The rooms of `src/` as data, and a check that reads every import and names what breaks them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export interface Room {
  /** Rooms whose values it may import, besides its own and those that everyone knows. */
  readonly values: readonly string[];
  /** Foreign packages it owns. */
  readonly packages?: readonly string[];
  /** Foreign packages it may import types from. */
  readonly typePackages?: readonly string[];
  /** Restricted `node:` modules it may use. */
  readonly node?: readonly string[];
}

/** Every room may import values of these; they import only from each other, to the left. */
const knownByAll = ["errors", "runtime", "text", "drop-undefined", "input", "option-rules", "secrets"];

/** In the order data flows: types may come from any room to the left. */
export const rooms: Readonly<Record<string, Room>> = {
  errors: { values: [] },
  runtime: { values: [] },
  text: { values: [] },
  "drop-undefined": { values: [] },
  input: { values: [] },
  "option-rules": { values: [] },
  secrets: { values: [], packages: ["entities"] },
  json: { values: [] },
  disk: { values: [], packages: ["zod"], node: ["node:fs/promises"] },
  // The file system for record files.
  source: { values: ["json"], packages: ["zod"], node: ["node:fs", "node:fs/promises"] },
  credentials: { values: ["source"], packages: ["dotenv"], typePackages: ["axios"] },
  files: { values: [] },
  limits: { values: [], packages: ["rate-limiter-flexible"] },
  // json, for a form body given as text: its numbers keep their digits.
  policy: { values: ["source", "json"] },
  transport: {
    values: ["policy", "limits"],
    packages: ["axios", "axios-retry"],
    // The file system for the hosts file alone: a name in it is meant to be local.
    node: ["node:http", "node:https", "node:fs/promises"],
  },
  body: { values: ["json"], packages: ["htmlparser2", "papaparse"] },
  diagnosis: { values: ["json"] },
  paging: { values: ["json", "policy"] },
  // Whether a job is finished, and where it is read: facts of a response, without a request.
  jobs: { values: ["json"] },
  query: { values: ["json"], packages: ["@jmespath-community/jmespath"] },
  view: { values: ["json", "query"] },
  store: { values: ["json", "body", "files"] },
  // Which threads may have content of confidential sources. kept, for the time that a store may take.
  confidential: { values: ["store", "kept"] },
  // Left of client, so that whatever sends a request passes the approval check, the plain client too.
  // policy, which names the headers that are credentials.
  approval: { values: ["policy"], packages: ["@langchain/core"] },
  // disk, for its atomic write; policy, query and diagnosis for the login call.
  oauth: {
    values: ["source", "credentials", "limits", "policy", "transport", "diagnosis", "query", "disk"],
    packages: ["oauth4webapi", "zod"],
    node: ["node:fs/promises"],
  },
  // The file system for the documents beside a record; policy, so that a map shows only what may be called.
  openapi: {
    values: ["source", "json", "policy"],
    packages: ["yaml"],
    node: ["node:fs", "node:fs/promises"],
  },
  // What a model is shown of a source: LangChain, MCP and the client give it to their hosts. policy, for the queries of examples.
  tool: { values: ["source", "policy"], packages: ["zod"] },
  // The five rooms of a call. Values come from the rooms listed; each may name the types of those that use it, to its left.
  client: {
    values: [
      "confidential",
      "call",
      "knowledge",
      "kept",
      "answer",
      "approval",
      "oauth",
      "source",
      "credentials",
      "limits",
      "transport",
      "json",
      "diagnosis",
      "view",
      "store",
      "openapi",
      "tool",
    ],
  },
  call: {
    values: [
      "knowledge",
      "answer",
      "approval",
      "confidential",
      "source",
      "credentials",
      "limits",
      "policy",
      "transport",
      "json",
      "body",
      "diagnosis",
      "paging",
      "jobs",
      "query",
      "files",
    ],
    // call-details: a call in full for the inspector, which no event contains.
  },
  // policy, for the request line in its messages.
  knowledge: { values: ["answer", "openapi", "policy", "json"] },
  // The notes of used decisions and of those that last.
  kept: { values: ["answer", "json", "query", "store", "transport", "view"] },
  answer: {
    values: ["limits", "policy", "transport", "json", "diagnosis", "paging", "query", "view", "files"],
    // select-scope: the note on a select over one page, and what the rows of an envelope are.
    // An error that quotes a part of the input: of a secret in it nothing may be left.
  },
  // write-curl, which the command and the inspector share, came from cli.
  connection: { values: ["client", "call", "diagnosis"] },
  // view, because modelSummarizer wraps the projection of that room.
  toolkit: {
    values: [
      "source",
      "tool",
      "view",
      "approval",
      "client",
      "call",
      "knowledge",
      "kept",
      "answer",
      "connection",
    ],
    packages: ["@langchain/core", "zod"],
  },
  code: {
    // The sandbox, its thread and its messages, is a third of it, the limits on hostile code a quarter; transport for the deadline,
    // query for the nearest name, secrets for the marker of the redactor.
    values: ["client", "answer", "json", "query", "tool", "toolkit", "transport"],
    packages: ["quickjs-emscripten"],
  },
  registry: { values: ["source", "disk"], node: ["node:fs", "node:fs/promises"] },
  // The keyring is an optional package, loaded when it is used.
  keyring: { values: ["credentials"], packages: ["@napi-rs/keyring"] },
  // source, for the names of tools and methods; map, which reads documents.
  import: { values: ["source", "openapi"] },
  // The types of client, for the events of `onCall`.
  // follow-journal came from cli.
  journal: { values: ["disk"], node: ["node:fs/promises"] },
  // credentials, for the environment variable NODE_ENV; the file system for the recordings.
  recording: {
    values: ["json", "disk", "credentials", "transport"],
    packages: ["zod"],
    node: ["node:fs", "node:fs/promises"],
  },
  // The schema of a tool is written as LangChain shows it to models.
  mcp: {
    values: ["tool"],
    packages: ["@langchain/core", "@modelcontextprotocol/server"],
  },
  // The page and its server. preact is bundled into the page; the file system for the files of the page.
  inspector: {
    values: ["answer", "call", "connection", "credentials", "journal", "json", "kept"],
    packages: ["preact"],
    node: ["node:fs/promises", "node:http"],
  },
  // The doors of the rooms rather than `index`, which would load LangChain for a list.
  cli: {
    values: [
      "index",
      "source",
      "credentials",
      "json",
      "query",
      "client",
      "call",
      "connection",
      "disk",
      "files",
      "journal",
      "recording",
      "registry",
      "keyring",
      "import",
      "oauth",
      "openapi",
      "toolkit",
      "code",
      "mcp",
      "inspector",
    ],
    // The server's package, for its transport over standard input and output.
    packages: ["commander", "@clack/prompts", "@modelcontextprotocol/server"],
    // http, to listen for the browser that comes back from an authorization.
    node: ["node:fs", "node:fs/promises", "node:http"],
  },
  index: {
    values: [
      "oauth",
      "registry",
      "journal",
      "source",
      "credentials",
      "transport",
      "store",
      "view",
      "client",
      "connection",
      "toolkit",
    ],
  },
};

const restrictedNode = ["node:fs", "node:fs/promises", "node:http", "node:https"];
const maxLines = 300;

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Every import, re-export and dynamic import of a file. */
export function readImports(text: string): Import[] {
  const code = dropComments(text);
  const imports: Import[] = [];
  for (const match of code.matchAll(/^(?:import|export)\s+(type\s+)?([^"';]*?)\s*from\s*"([^"]+)"/gm)) {
    const names = /\{([^}]*)\}/
      .exec(match[2] ?? "")?.[1]
      ?.split(",")
      .map((name) => name.trim()) ?? [""];
    const allTypes =
      names.filter(Boolean).length > 0 && names.filter(Boolean).every((name) => name.startsWith("type "));
    imports.push({ specifier: match[3] ?? "", typeOnly: match[1] !== undefined || allTypes });
  }
  for (const match of code.matchAll(
    /^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|\brequire\(\s*"([^"]+)"\s*\)/gm,
  )) {
    imports.push({ specifier: match[1] ?? match[2] ?? match[3] ?? "", typeOnly: false });
  }
  return imports;
}

function dropComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** One sentence per violation; empty for a tree that keeps to the table. */
export function checkArchitecture(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const edges = new Map<string, string[]>();
  const violations = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const imports = readImports(text);
    edges.set(file, localTargets(root, file, imports));
    return [...checkSize(file, text), ...imports.flatMap((each) => checkImport(root, file, each))];
  });
  return [...violations, ...findCycles(edges)];
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function checkSize(file: string, text: string): string[] {
  const lines = countLines(text);
  const found = lines > maxLines ? [`${file} has ${lines} lines; ${maxLines} is the most.`] : [];
  if (roomOf(file) !== "credentials" && /\bprocess\.env\b/.test(dropComments(text)))
    found.push(`${file} reads process.env.`);
  return found;
}

function checkImport(root: string, file: string, { specifier, typeOnly }: Import): string[] {
  const room = roomOf(file);
  const rules = rooms[room];
  if (rules === undefined) return [`${file} is in no room of the table.`];
  if (specifier.startsWith("node:")) {
    const allowed = typeOnly || !restrictedNode.includes(specifier) || rules.node?.includes(specifier);
    return allowed ? [] : [`${file} may not import ${specifier}.`];
  }
  if (!specifier.startsWith(".")) {
    const name = packageOf(specifier);
    const owned = rules.packages?.includes(name) || (typeOnly && rules.typePackages?.includes(name));
    return owned ? [] : [`${file} imports the foreign package ${name}.`];
  }
  const target = roomOf(relative(root, resolve(root, dirname(file), specifier)));
  if (target === room) return [];
  const order = Object.keys(rooms);
  const toTheLeft = order.indexOf(target) !== -1 && order.indexOf(target) < order.indexOf(room);
  if (typeOnly && (toTheLeft || rules.values.includes(target))) return [];
  if (typeOnly) return [`${file} imports types from ${target}, which is not to its left.`];
  const known = knownByAll.includes(target) && toTheLeft;
  return known || rules.values.includes(target) ? [] : [`${file} imports values from ${target}.`];
}

function roomOf(file: string): string {
  return (file.split(/[\\/]/)[0] ?? "").replace(/\.(ts|js)$/, "");
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Files that a file imports, for their types too: a circle of types is as hard to read as one of values. */
function localTargets(root: string, file: string, imports: readonly Import[]): string[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => relative(root, resolve(root, dirname(file), specifier)).replace(/\.js$/, ".ts"))
    .map((target) => (existsSync(join(root, `${target}x`)) ? `${target}x` : target));
}

function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(`Cycle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}.`);
      return;
    }
    if (done.has(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

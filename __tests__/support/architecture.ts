/** The rooms of `src/` as data, and a check that reads every import and names what breaks them. */

import { readdirSync, readFileSync } from "node:fs";
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
  /** How many lines it may have: a commit that needs more says what for. */
  readonly lines: number;
}

/** Everyone may import values of these; they know nobody but each other, to the left. */
const knownByAll = ["errors", "runtime", "text", "secrets"];

/** In the order data flows: types may come from any room to the left. */
export const rooms: Readonly<Record<string, Room>> = {
  errors: { values: [], lines: 200 },
  runtime: { values: [], lines: 200 },
  text: { values: [], lines: 150 },
  secrets: { values: [], packages: ["entities"], lines: 1200 },
  json: { values: [], lines: 750 },
  // The file system for record files.
  source: { values: ["json"], packages: ["zod"], node: ["node:fs", "node:fs/promises"], lines: 2800 },
  credentials: { values: ["source"], packages: ["dotenv"], typePackages: ["axios"], lines: 500 },
  limits: { values: [], packages: ["rate-limiter-flexible"], lines: 1000 },
  // json, for a form body given as text: its numbers keep their digits.
  policy: { values: ["source", "json"], lines: 1550 },
  transport: {
    values: ["policy", "limits"],
    packages: ["axios", "axios-retry"],
    // The file system for the hosts file alone: a name in it is meant to be local.
    node: ["node:http", "node:https", "node:fs/promises"],
    lines: 1650,
  },
  body: { values: ["json"], packages: ["htmlparser2", "papaparse"], lines: 1100 },
  diagnosis: { values: ["json"], lines: 2650 },
  paging: { values: ["json", "policy"], lines: 1000 },
  query: { values: ["json"], packages: ["@jmespath-community/jmespath"], lines: 1500 },
  view: { values: ["json", "query"], lines: 1100 },
  store: { values: ["json", "body"], lines: 350 },
  // Left of client, so that whatever sends a request passes the gate, the plain client too.
  approval: { values: [], packages: ["@langchain/core"], lines: 600 },
  // registry, for its atomic write; policy, query and diagnosis for the login call.
  oauth: {
    values: ["source", "credentials", "limits", "policy", "transport", "diagnosis", "query", "registry"],
    packages: ["oauth4webapi", "zod"],
    node: ["node:fs/promises"],
    lines: 1850,
  },
  // The file system for the documents beside a record; policy, so that a map shows only what may be called.
  map: {
    values: ["source", "json", "policy"],
    packages: ["yaml"],
    node: ["node:fs", "node:fs/promises"],
    lines: 2500,
  },
  client: {
    values: [
      "approval",
      "oauth",
      "source",
      "credentials",
      "limits",
      "policy",
      "transport",
      "json",
      "body",
      "diagnosis",
      "paging",
      "query",
      "view",
      "store",
      "map",
    ],
    lines: 3450,
  },
  connection: { values: ["client", "diagnosis"], lines: 950 },
  // view, because modelSummarizer wraps the projection of that room; policy, for the paths of calls that only read.
  toolkit: {
    values: ["source", "policy", "view", "approval", "client", "connection"],
    packages: ["@langchain/core", "zod"],
    lines: 950,
  },
  code: {
    // The sandbox itself, its thread and what it is told, is a third of it; transport for the deadline, query for the nearest name.
    values: ["client", "json", "query", "toolkit", "transport"],
    packages: ["quickjs-emscripten"],
    lines: 1400,
  },
  registry: { values: ["source"], node: ["node:fs", "node:fs/promises"], lines: 300 },
  // The keyring is an optional package, loaded when it is used.
  keyring: { values: ["credentials"], packages: ["@napi-rs/keyring"], lines: 100 },
  // source, for the names of tools and methods; map, which reads documents.
  import: { values: ["source", "map"], lines: 850 },
  // The schema of a tool is written as LangChain shows it to models.
  mcp: {
    values: [],
    packages: ["@langchain/core", "@modelcontextprotocol/server"],
    lines: 250,
  },
  // The doors of the rooms rather than `index`, which would load LangChain for a list.
  cli: {
    values: [
      "source",
      "credentials",
      "json",
      "query",
      "client",
      "connection",
      "registry",
      "keyring",
      "import",
      "oauth",
      "map",
      "toolkit",
      "mcp",
    ],
    // The server's package, for its transport over standard input and output.
    packages: ["commander", "@clack/prompts", "@modelcontextprotocol/server"],
    // http, to listen for the browser that comes back from an authorization.
    node: ["node:fs", "node:fs/promises", "node:http"],
    lines: 2050,
  },
  index: {
    values: [
      "oauth",
      "registry",
      "source",
      "credentials",
      "transport",
      "store",
      "view",
      "client",
      "connection",
      "toolkit",
    ],
    lines: 80,
  },
};

const restrictedNode = ["node:fs", "node:fs/promises", "node:http", "node:https"];
const maxLines = 250;

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
    file.endsWith(".ts"),
  );
  const edges = new Map<string, string[]>();
  const violations = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const imports = readImports(text);
    edges.set(file, localTargets(root, file, imports));
    return [...checkSize(file, text), ...imports.flatMap((each) => checkImport(root, file, each))];
  });
  return [...violations, ...findCycles(edges), ...findLargeRooms(root, files)];
}

function findLargeRooms(root: string, files: readonly string[]): string[] {
  return Object.entries(rooms).flatMap(([room, { lines: most }]) => {
    const own = files.filter((file) => roomOf(file) === room);
    const lines = own.reduce((sum, file) => sum + countLines(readFileSync(join(root, file), "utf8")), 0);
    return lines > most ? [`The room ${room} has ${lines} lines; ${most} is the most.`] : [];
  });
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
  if (typeOnly) return toTheLeft ? [] : [`${file} imports types from ${target}, which is not to its left.`];
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
    .map(({ specifier }) => relative(root, resolve(root, dirname(file), specifier)).replace(/\.js$/, ".ts"));
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

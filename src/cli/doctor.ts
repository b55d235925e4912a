/** `doctor`: looks around the sources, works where nothing else does, and sends no request. */

import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import type { RecordProblem } from "../core/base/errors.js";
import { plural } from "../core/base/text.js";
import {
  describeCredentialVariables,
  isIssued,
  listGrantVariables,
  readCredential,
} from "../core/credentials/credential-variables.js";
import { loadEnvFile, readProcessEnvironment } from "../core/credentials/environment.js";
import type { ApiSource } from "../core/record/api-source.js";
import { findNameCollisions } from "../core/record/parse-source.js";
import { listUsedNames } from "../core/record/read-values.js";
import type { SourceEntry } from "../toolkit/directory/source-directory.js";
import { cleanLine, type Terminal, writeProblem } from "./terminal.js";
import {
  type CommonFlags,
  defaultEnvFile,
  isSet,
  openDirectory,
  readKeptCredential,
  readVariable,
} from "./workspace.js";

interface Check {
  readonly verdict: "ok" | "warning" | "failed";
  readonly what: string;
  /** What to do next; absent where there is nothing to do. */
  readonly next?: string;
}

const ok = (what: string): Check => ({ verdict: "ok", what });
const warn = (what: string, next: string): Check => ({ verdict: "warning", what, next });
const fail = (what: string, next: string): Check => ({ verdict: "failed", what, next });

const oldestNode = 20;
/** No computer that runs this package was set before its first release. */
const firstReleaseMs = Date.UTC(2025, 0, 1);
const clockToleranceMs = 120_000;

/** @returns 0, 1 when something failed, 2 when a record is wrong. */
export async function checkHealth(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const checks = [checkNode(), await checkEnvFile(flags), ...(await checkPackages())];
  const wrongRecords = await checkSources(flags, checks);
  checks.push(...wrongRecords, checkProxy());
  terminal.printResult(flags, checks, checks.map(writeCheck).join("\n"));
  if (wrongRecords.length > 0) return 2;
  return checks.some(({ verdict }) => verdict === "failed") ? 1 : 0;
}

function writeCheck({ verdict, what, next }: Check): string {
  const head = `${verdict.padEnd(8)} ${cleanLine(what)}`;
  return next === undefined ? head : `${head}\n         Next: ${cleanLine(next)}`;
}

function checkNode(): Check {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= oldestNode) return ok(`Node.js ${node}`);
  return fail(`Node.js ${node} is too old`, `Install Node.js ${oldestNode} or later.`);
}

/** A broken or missing file must not stop what follows. */
async function checkEnvFile({ envFile = defaultEnvFile }: CommonFlags): Promise<Check> {
  try {
    const names = loadEnvFile(envFile);
    const { mode } = await stat(envFile);
    const what = `${envFile} sets ${plural(names.length, "variable")}`;
    if (process.platform === "win32" || (mode & 0o077) === 0 || names.length === 0) return ok(what);
    return warn(`${what}, and others on this machine may read it`, `chmod 600 ${envFile}`);
  } catch {
    return warn(
      `${envFile} can't be read`,
      `Nothing, if the variables are set in another way; otherwise: api-sources env > ${envFile}, and fill in the values.`,
    );
  }
}

/** A missing package is a warning: only what needs it does not work. */
async function checkPackages(): Promise<Check[]> {
  const needed = [
    ["@modelcontextprotocol/server", "api-sources mcp", ""],
    ["quickjs-emscripten", "mcp --code and createApiCodeTool", " sucrase"],
  ] as const;
  const { resolve } = createRequire(import.meta.url);
  const packages = needed.map(([name, what, more]): Check => {
    try {
      resolve(name);
      return ok(`${name} is installed`);
    } catch {
      return warn(`${name} is not installed`, `If you need ${what}: npm install ${name}${more}`);
    }
  });
  const { readKeyring } = await import("../extras/keyring/keyring-credentials.js");
  const next = "If you need --store keyring: npm install @napi-rs/keyring, and unlock the desktop's keyring.";
  const keyring = await readKeyring("API_SOURCES").then(
    () => ok("The system's keyring can be used"),
    () => warn("The system's keyring can't be used", next),
  );
  return [...packages, keyring];
}

/** Adds what it finds around the records to `checks`. @returns what is wrong with the records themselves. */
async function checkSources(flags: CommonFlags, checks: Check[]): Promise<Check[]> {
  try {
    const directory = await openDirectory(flags);
    const entries = await directory.list();
    checks.push(await checkClock(entries));
    if (entries.length === 0) checks.push(warn(`No sources in ${directory.path}`, "api-sources add"));
    const wrong: Check[] = [];
    for (const { slug, source, problems } of entries) {
      const found = source === undefined ? problems : await checkSource(source, checks);
      wrong.push(...found.map((problem) => describeProblem(slug, problem)));
    }
    const named = entries.flatMap(({ source, file }) => (source ? [{ source, file }] : []));
    for (const { source, problem } of findNameCollisions(named))
      wrong.push(describeProblem(source.slug, problem));
    return wrong;
  } catch (error) {
    const what = error instanceof Error ? error.message : "The directory of sources can't be read.";
    checks.push(fail(what, "Name a readable directory with --dir."));
    return [];
  }
}

function describeProblem(slug: string, problem: RecordProblem): Check {
  return fail(`${slug}: ${writeProblem({ ...problem, fix: "" }).trim()}`, problem.fix);
}

/** Adds which variables are missing. @returns why the description can't be read. */
async function checkSource(source: ApiSource, checks: Check[]): Promise<readonly RecordProblem[]> {
  const { slug } = source;
  const missing = await listMissing(source);
  const set = `Set it in the environment or in the file of --env-file; then: api-sources test ${slug}`;
  for (const names of missing) checks.push(fail(`${slug}: ${names} is not set`, set));
  const { findDocumentProblems } = await import("../features/openapi/knowledge.js");
  const problems = await findDocumentProblems([source]);
  if (problems.length + missing.length === 0)
    checks.push(ok(`${slug}: the record loads, its variables are set`));
  return problems;
}

/** The variables that are neither in the environment nor in the keyring; a credential by all its names. */
async function listMissing(source: ApiSource): Promise<string[]> {
  const missing: string[] = [];
  const isThere = readCredential(source, readProcessEnvironment) ?? (await readKeptCredential(source));
  if (source.api.authType !== undefined && !isIssued(source) && isThere === undefined)
    missing.push(describeCredentialVariables(source));
  for (const name of new Set([...listGrantVariables(source), ...listUsedNames(source)]))
    if ((await readVariable(name)) === undefined) missing.push(name);
  return missing;
}

/** Certificates and signed tokens fail on a wrong clock; a file written in the future shows one, without a request. */
async function checkClock(entries: readonly SourceEntry[]): Promise<Check> {
  const now = Date.now();
  const files = await Promise.all(entries.map(({ file }) => stat(file).catch(() => undefined)));
  const isEarlier = files.some((found) => (found?.mtimeMs ?? 0) > now + clockToleranceMs);
  const what = `The clock shows ${new Date(now).toISOString()}`;
  if (now >= firstReleaseMs && !isEarlier) return ok(what);
  return warn(`${what}, earlier than a file was written`, "Set this machine's clock.");
}

/** Proxy variables that other programs read are not read here. */
function checkProxy(): Check {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const set = names.filter(isSet);
  if (set.length === 0) return ok("No proxy variables are set");
  return warn(
    `${set.join(", ")} is set, and not used by sources`,
    `If a source can only be reached through it, put "network": { "proxy": "\${${set[0]}}" } under \`api\` of its record.`,
  );
}

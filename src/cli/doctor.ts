/** `doctor`: looks around the sources, works where nothing else does, and sends no request. */

import { stat } from "node:fs/promises";
import {
  isIssued,
  listCredentialVariables,
  listGrantVariables,
} from "../credentials/credential-variables.js";
import { loadEnvFile, readProcessEnvironment } from "../credentials/environment.js";
import type { SourceEntry } from "../registry/source-directory.js";
import type { ApiSource } from "../source/api-source.js";
import { findNameCollisions } from "../source/parse-source.js";
import { listSecretNames } from "../source/read-values.js";
import { plural } from "../text.js";
import { cleanLine, type Terminal } from "./terminal.js";
import {
  type CommonFlags,
  createCredentialOptions,
  defaultEnvFile,
  openDirectory,
  writeProblem,
} from "./workspace.js";

interface Check {
  readonly verdict: "ok" | "warning" | "failed";
  readonly what: string;
  /** What to do next; absent where there is nothing to do. */
  readonly next?: string;
  readonly isRecord?: boolean;
}

const oldestNode = 20;
/** No computer that runs this package was set before its first release. */
const firstReleaseMs = Date.UTC(2025, 0, 1);
const clockToleranceMs = 120_000;

/** @returns 0, 1 when something failed, 2 when a record is wrong. */
export async function checkHealth(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const checks = [checkNode(), checkEnvFile(flags), ...(await checkSources(flags)), ...checkProxy()];
  if (flags.json === true) {
    terminal.print(
      JSON.stringify(
        checks.map(({ isRecord: _, ...check }) => check),
        null,
        2,
      ),
    );
  } else terminal.print(checks.map(writeCheck).join("\n"));
  const failed = checks.filter(({ verdict }) => verdict === "failed");
  if (failed.some(({ isRecord }) => isRecord)) return 2;
  return failed.length === 0 ? 0 : 1;
}

function writeCheck({ verdict, what, next }: Check): string {
  const head = `${verdict.padEnd(8)} ${cleanLine(what)}`;
  return next === undefined ? head : `${head}\n         Next: ${cleanLine(next)}`;
}

function checkNode(): Check {
  const { node } = process.versions;
  if (Number(node.split(".")[0]) >= oldestNode) return { verdict: "ok", what: `Node.js ${node}` };
  return {
    verdict: "failed",
    what: `Node.js ${node} is too old`,
    next: `Install Node.js ${oldestNode} or later.`,
  };
}

/** A broken or missing file must not stop what follows. */
function checkEnvFile({ envFile = defaultEnvFile }: CommonFlags): Check {
  try {
    const names = loadEnvFile(envFile);
    return { verdict: "ok", what: `${envFile} sets ${plural(names.length, "variable")}` };
  } catch {
    return {
      verdict: "warning",
      what: `${envFile} can't be read`,
      next: "Nothing, if the variables are set otherwise; else: api-sources env > .env, and fill in the values.",
    };
  }
}

async function checkSources(flags: CommonFlags): Promise<Check[]> {
  try {
    const directory = await openDirectory(flags);
    const entries = await directory.list();
    const none = {
      verdict: "warning",
      what: `No sources in ${directory.path}`,
      next: "api-sources add",
    } as const;
    const sources = entries.flatMap(({ source, file }) => (source === undefined ? [] : [{ source, file }]));
    const collisions = findNameCollisions(sources).map(
      ({ source, problems }): Check => ({
        verdict: "failed",
        what: `${source.slug}: ${problems.map(({ message }) => `the slug ${message}`).join("; ")}`,
        next: problems[0]?.fix ?? "",
        isRecord: true,
      }),
    );
    const each: Check[][] = [];
    for (const entry of entries) each.push(await checkEntry(entry));
    return [
      await checkClock(entries),
      ...(entries.length === 0 ? [none] : []),
      ...each.flat(),
      ...collisions,
    ];
  } catch (error) {
    const what = error instanceof Error ? error.message : "The directory of sources can't be read.";
    return [{ verdict: "failed", what, next: "Name a readable directory with --dir." }];
  }
}

async function checkEntry({ slug, source, problems }: SourceEntry): Promise<Check[]> {
  if (source === undefined) {
    return problems.map((problem) => ({
      verdict: "failed",
      what: `${slug}: ${writeProblem({ ...problem, fix: "" }).trim()}`,
      next: problem.fix,
      isRecord: true,
    }));
  }
  const missing: Check[] = [];
  const { credentials, secrets } = createCredentialOptions();
  const names = listCredentialVariables(source);
  const isBasic = source.api.authType === "basic";
  const isSet = (name: string): boolean => readProcessEnvironment(name) !== undefined;
  const hasCredential = isBasic
    ? names.every(isSet)
    : names.some((name) => (readProcessEnvironment(name) ?? "") !== "");
  if (source.api.authType !== undefined && !isIssued(source) && !hasCredential) {
    const kept = typeof credentials === "function" ? await credentials(source, {}) : undefined;
    if (kept === undefined) missing.push(tellMissing(slug, names.join(isBasic ? " and " : " or ")));
  }
  for (const name of new Set([...listGrantVariables(source), ...listSecretNames(source)])) {
    const value = typeof secrets === "function" ? await secrets(name, source, {}) : undefined;
    if (value === undefined) missing.push(tellMissing(slug, name));
  }
  missing.push(...(await checkDocuments(source)));
  return missing.some(({ verdict }) => verdict === "failed")
    ? missing
    : [...missing, { verdict: "ok", what: `${slug}: the record loads, its variables are set` }];
}

/** A description that can't be read fails every run; one that has drifted from its record misleads it. */
async function checkDocuments(source: ApiSource): Promise<Check[]> {
  const { slug, api } = source;
  if (api.openapi === undefined && api.guide === undefined) return [];
  const { findDocumentProblems, loadKnowledge } = await import("../map/knowledge.js");
  const problems = await findDocumentProblems([source]);
  if (problems.length > 0) {
    return problems.map((problem) => ({
      verdict: "failed",
      what: `${slug}: ${writeProblem({ ...problem, fix: "" }).trim()}`,
      next: problem.fix,
      isRecord: true,
    }));
  }
  const { description } = await loadKnowledge(source);
  if (description === undefined) return [];
  const { findRecordDrift } = await import("../map/drift.js");
  return findRecordDrift(description, source).map((what) => ({
    verdict: "warning",
    what: `${slug}: ${what}`,
    next: "Correct the record, or bring the description up to date.",
  }));
}

function tellMissing(slug: string, names: string): Check {
  return {
    verdict: "failed",
    what: `${slug}: ${names} is not set`,
    next: `Set it in the environment or in the file of --env-file; then: api-sources test ${slug}`,
  };
}

/** Certificates and signed tokens fail on a wrong clock; a file written in the future tells of one, without a request. */
async function checkClock(entries: readonly SourceEntry[]): Promise<Check> {
  const now = Date.now();
  const times = await Promise.all(
    entries.map(({ file }) =>
      stat(file).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  );
  const isWrong = now < firstReleaseMs || times.some((time) => time > now + clockToleranceMs);
  const what = `The clock says ${new Date(now).toISOString()}`;
  if (!isWrong) return { verdict: "ok", what };
  return {
    verdict: "warning",
    what: `${what}, earlier than a file was written`,
    next: "Set this machine's clock.",
  };
}

/** Proxy variables that other programs read are not read here. */
function checkProxy(): Check[] {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const set = names.filter((name) => (readProcessEnvironment(name) ?? "") !== "");
  if (set.length === 0) return [{ verdict: "ok", what: "No proxy variables are set" }];
  return [
    {
      verdict: "warning",
      what: `${set.join(", ")} is set, and not used by sources`,
      next: `If a source is only reached through it, put "network": { "proxy": "\${${set[0]}}" } under \`api\` of its record.`,
    },
  ];
}

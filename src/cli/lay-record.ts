/** A record laid under another one: the values of a source that is there are kept, and a description fills its gaps. */

import { SourceRecordError } from "../errors.js";
import type { ImportedRecord } from "../import/imported.js";
import { isPlainObject } from "../input.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { createToolName } from "../source/tool-name.js";
import { findFlag, nameFlags } from "./record-flags.js";
import { createUsageError, writeProblem } from "./terminal.js";

/** They belong together: the header's name of one record does not fit the credential of another. */
const authMembers = ["authType", "headerName", "queryParam", "authScheme", "oauth2", "login"] as const;

/** @param kept - The record as it is in its file. */
export function fillGaps(kept: unknown, given: ImportedRecord): ImportedRecord {
  const api = { ...given.api };
  const own = Object(Object(kept).api);
  if (authMembers.some((member) => own[member] !== undefined))
    for (const member of authMembers) delete api[member];
  if (own.methods !== undefined || own.paths !== undefined) delete api.endpoints;
  // Paths below another base URL lead elsewhere.
  if (own.baseUrl !== undefined && own.baseUrl !== api.baseUrl)
    for (const member of ["testEndpoint", "endpoints", "paging", "variables"] as const) delete api[member];
  return lay(kept, { ...given, api }) as ImportedRecord;
}

function lay(kept: unknown, given: unknown): unknown {
  if (kept === undefined) return given;
  if (!isPlainObject(kept) || !isPlainObject(given)) return kept;
  const more = Object.keys(given).filter((key) => !Object.hasOwn(kept, key));
  return Object.fromEntries([...Object.keys(kept), ...more].map((key) => [key, lay(kept[key], given[key])]));
}

/** Examples of a description that the rules of the record do not allow are left out. */
export function dropRefusedExamples({ api }: ImportedRecord): void {
  const { methods, endpoints, paths } = api;
  if (endpoints === undefined) return;
  const allowed = paths === undefined ? endpoints : [];
  api.endpoints = allowed.filter(({ method }) => methods?.includes(method) !== false);
  if (api.endpoints.length === 0) delete api.endpoints;
}

/** A record without a `slug` is called by its name, so one that is renamed gets the slug that it had. */
export function keepSlug(record: ImportedRecord, slug: string): void {
  if (record.name === undefined ? record.slug === undefined : createToolName(record.name) === slug) return;
  record.slug = slug;
}

/** Reads a record whose problems are for the flags to solve. @throws CommandError 2 that names the flag of each problem. */
export function parseFlagged(record: unknown, file: string): ApiSource {
  try {
    return parseSource(record, file === "" ? {} : { file });
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const lines = error.problems.map((problem) => {
      const flag = findFlag(problem.path);
      const path = flag === undefined ? problem.path : `${problem.path} (${flag})`;
      const { file: _, ...rest } = problem;
      return writeProblem({ ...rest, path, fix: nameFlags(problem.fix) });
    });
    throw createUsageError(`The record is wrong, and was not saved:\n${lines.join("\n")}`);
  }
}

/** Lays the flags of `add` and `set` over a record. */

import { SourceRecordError } from "../core/base/errors.js";
import { isPlainObject } from "../core/base/input.js";
import { nameVariable } from "../core/credentials/credential-variables.js";
import { type ApiSource, authTypes } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import type { ImportedRecord } from "./import/imported.js";
import { type RecordFlags, recordFlags } from "./record-flags.js";
import { createUsageError, writeProblem } from "./terminal.js";

type OAuth2Record = NonNullable<ImportedRecord["api"]["oauth2"]>;

/** Where each authType puts the credential: these members belong to one of them. */
const carrierMembers = ["headerName", "queryParam", "authScheme"] as const;

/** Another way to send the credential: what belonged to the one before goes. A token stays the same token wherever it is sent. */
export function setAuth(api: ImportedRecord["api"], auth: string): void {
  const before = api.authType ?? "none";
  if (auth === before) return;
  for (const member of carrierMembers) delete api[member];
  const isToken = (name: string): boolean => name !== "none" && name !== "basic";
  if (!isToken(auth) || !isToken(before)) delete api.credentialEnv;
  if (!isToken(auth)) for (const member of ["oauth2", "login"] as const) delete api[member];
  const authType = authTypes.find((each) => each === auth);
  if (authType === undefined) delete api.authType;
  else api.authType = authType;
}

/**
 * Lays flags over a record; the record that is given stays as it is.
 *
 * @param place - The tool's name, for variables, and the file of the record, for documents that it names.
 * @throws CommandError 2 for a value that can't be read.
 */
export function applyFlags(
  record: ImportedRecord,
  flags: RecordFlags,
  { slug, file }: { readonly slug: string; readonly file: string },
): ImportedRecord {
  const changed = structuredClone(record);
  for (const { option, member, read } of recordFlags) {
    const given = flags[option.attributeName()];
    if (given === undefined) continue;
    if (option.long === "--auth") setAuth(changed.api, String(given));
    else setMember(changed, member, (before) => read(given, before, file));
  }
  const { api } = changed;
  if (api.oauth2 !== undefined) api.oauth2 = fillOAuth2(api.oauth2, slug);
  if (api.oauth2 !== undefined || api.login !== undefined) api.authType ??= "bearer";
  return changed;
}

/** Fills in what every grant needs: a client id and, unless the client is public, a secret; each is a variable of the source where it is not given. */
function fillOAuth2(
  { grant, ...given }: Pick<OAuth2Record, "grant"> & Partial<OAuth2Record>,
  slug: string,
): OAuth2Record {
  const isPublic = given.clientAuthentication === "none";
  if (isPublic) delete given.clientSecret;
  const secret = isPublic ? {} : { clientSecret: `\${${nameVariable({ slug }, "CLIENT_SECRET")}}` };
  return { grant, clientId: `\${${nameVariable({ slug }, "CLIENT_ID")}}`, ...secret, ...given };
}

function setMember(
  record: object,
  path: readonly string[],
  change: (before: unknown) => unknown,
): void {
  let holder = record as Record<string, unknown>;
  for (const key of path.slice(0, -1)) {
    const next = holder[key];
    const inner: Record<string, unknown> = isPlainObject(next) ? next : {};
    holder[key] = inner;
    holder = inner;
  }
  const last = path.at(-1) ?? "";
  holder[last] = change(holder[last]);
}

/** Removes a member, such as `api.paths.deny`; `api.` may be left out. @throws CommandError 2 where such a member is missing. */
export function unsetMember(record: ImportedRecord, member: string, slug: string): void {
  const path = member.split(".");
  for (const keys of [path, ["api", ...path]]) {
    const holder = keys.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], record);
    if (isPlainObject(holder) && Object.hasOwn(holder, keys.at(-1) ?? "")) {
      delete holder[keys.at(-1) ?? ""];
      return;
    }
  }
  throw createUsageError(
    `The record of "${slug}" has no member ${member}.`,
    `api-sources show ${slug}`,
  );
}

/** Reads a record whose problems are for the flags to solve. @throws CommandError 2 that names the flag of each problem. */
export function parseFlagged(record: unknown, file?: string): ApiSource {
  try {
    return parseSource(record, { file });
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const lines = error.problems.map(({ file: _, ...problem }) => {
      const flag = recordFlags.find(({ member }) => member.join(".") === problem.path)?.option.long;
      return writeProblem(
        flag === undefined ? problem : { ...problem, path: `${problem.path} (${flag})` },
      );
    });
    throw createUsageError(`The record is wrong, and was not saved:\n${lines.join("\n")}`);
  }
}

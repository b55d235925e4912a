/** Decides which extra headers of the agent go on the wire: the words in a header's name show its kind, for no list of names could be complete. */

import { invalidInput, refusedByPolicy } from "../base/errors.js";
import { findHeaderKind, foldHeaderName } from "../base/header-kinds.js";
import { quoteText } from "../base/text.js";
import type { ApiSettings } from "../record/api-source.js";
import { isNeverSent } from "../record/never-sent.js";
import { checkContentType } from "./check-content-type.js";
import { readPairs, readScalar } from "./parse-query.js";

/** The part of a record that names the headers the agent may send. */
export type HeaderSettings = Pick<ApiSettings, "headers" | "allowedHeaders" | "idempotencyHeader">;

const maxCount = 40;
const maxCharacters = 6000;

const formsHint =
  'Send headers as a list such as [{"name":"Accept","value":"text/csv"}], or an object of strings.';

/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;

/**
 * The extra headers of a request, in the spelling they were given (the idempotency header in the record's), as an
 * object without prototype.
 *
 * Names are compared without regard to case and as CGI folds them (`X_Forwarded_For`). Refused are headers of the
 * connection, the credential's, the record's constant ones, a name given twice, what `allowedHeaders` leaves out, and, unless
 * it names them, those that by a word in their name say who asks, prove it, route, override or ask for a range. `Content-Type`
 * names how the body is written where the record doesn't, and else its format more exactly (`application/merge-patch+json`).
 *
 * @param headers an object, a list of pairs, JSON text of these, or nothing (`null`, `""`, `[]`, `{}`)
 * @param credentialHeader the header that carries the credential
 * @param hasOwnType whether the body names its type itself, as a file and a multipart body do: a `Content-Type` is left out then
 * @throws ApiSourceError `refused_by_policy` for those, `invalid_input` for malformed names and values, more than 40
 *   headers or 6,000 characters
 */
export function checkHeaders(
  headers: unknown,
  settings: HeaderSettings,
  credentialHeader = "",
  hasOwnType = false,
): Record<string, string> {
  const { allowedHeaders, idempotencyHeader } = settings;
  const configured = new Set(
    [credentialHeader, ...Object.keys(settings.headers)].map(foldHeaderName),
  );
  const pairs = listHeaders(headers);
  const characters = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (pairs.length > maxCount || characters > maxCharacters) {
    throw invalidInput(
      `There are ${pairs.length} headers with ${characters} characters; at most ${maxCount} and ${maxCharacters} are allowed.`,
      "Send fewer or shorter headers.",
    );
  }
  const checked: Record<string, string> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    const folded = foldHeaderName(name);
    if (hasOwnType && folded === "content-type") continue;
    if (configured.has(folded)) {
      throw refusedByPolicy(
        `The header ${quoteText(name)} is set by this source's configuration.`,
        "Leave it out: it is added to every request.",
      );
    }
    const isKey = isSameName(name, idempotencyHeader);
    checkName(name, allowedHeaders, isKey);
    if (folded === "content-type") checkContentType(value);
    if (seen.has(folded)) {
      throw refusedByPolicy(
        `The header ${quoteText(name)} is given twice.`,
        "Give each header once.",
      );
    }
    seen.add(folded);
    // In the record's spelling, so that what adds a key to a write finds this one.
    checked[isKey ? (idempotencyHeader ?? name) : name] = value;
  }
  return checked;
}

const ignoredNames = words("accept content-type authorization");

/** Whether OpenAPI ignores a parameter of this name (3.1.1, section 4.8.12.2.1): the media types and the credential say it. */
export function isIgnoredHeader(name: string): boolean {
  return ignoredNames.has(name.toLowerCase());
}

/** Whether a call may set a header of this name, so that it is worth describing. */
export function mayCallSet(
  name: string,
  settings: HeaderSettings,
  credentialHeader: string | undefined,
): boolean {
  if (isIgnoredHeader(name)) return false;
  try {
    checkHeaders({ [name]: "x" }, settings, credentialHeader);
    return true;
  } catch {
    return false;
  }
}

/** The `Content-Type` among the extra headers of a request. @throws ApiSourceError `invalid_input` as `checkHeaders` does. */
export function readContentType(headers: unknown): string | undefined {
  return listHeaders(headers).find(([name]) => foldHeaderName(name) === "content-type")?.[1];
}

function isSameName(name: string, other: string | undefined): boolean {
  return other?.toLowerCase() === name.toLowerCase();
}

function checkName(
  name: string,
  allowedHeaders: readonly string[] | undefined,
  isKey: boolean,
): void {
  if (isNeverSent(name)) {
    throw refusedByPolicy(
      `The header ${quoteText(name)} can't be set with this tool.`,
      "Leave it out: a caller can't set headers of the framing, the connection or the credential.",
    );
  }
  if (allowedHeaders?.some((allowed) => isSameName(name, allowed))) return;
  const kind = isKey ? undefined : findHeaderKind(name);
  if (kind !== undefined) {
    throw refusedByPolicy(
      `The header ${quoteText(name)} looks like one of ${kind}, which only the source's record can permit.`,
      'Leave it out. If this API needs it, the person who set up the source can name it in "allowedHeaders" of its record.',
    );
  }
  if (allowedHeaders === undefined) return;
  throw refusedByPolicy(
    `The header ${quoteText(name)} is not among those this source allows.`,
    allowedHeaders.length === 0
      ? "This source allows no extra headers."
      : `Leave it out, or use one of: ${allowedHeaders.slice(0, 20).join(", ")}.`,
  );
}

/** Names by the token grammar, each with its value. @param headers - As `checkHeaders` takes them. */
export function listHeaders(headers: unknown): [name: string, value: string][] {
  return readPairs(headers, "headers", formsHint).map(([name, item]) => {
    if (token.test(name)) return [name, readValue(name, item)];
    throw invalidInput(
      `${quoteText(name)} is not a header name.`,
      "A header name is letters, digits and dashes, without spaces and colons.",
    );
  });
}

function readValue(name: string, item: unknown): string {
  const where = `The value of header ${quoteText(name)}`;
  const text = typeof item === "boolean" ? undefined : readScalar(item, where);
  if (text === undefined)
    throw invalidInput(`${where} is not a string.`, "Send one string as the value.");
  if (text.trim() !== text || /\p{Cc}|[^\0-\u00ff]/u.test(text)) {
    throw invalidInput(
      `${where} has a control character, one outside Latin-1, or a space at its start or end.`,
      "Send one line of plain ASCII text.",
    );
  }
  return text;
}

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(" ").split(" "));
}

/** Decides which extra headers of the agent go on the wire. */

import type { BodyFormat } from "../source/api-source.js";
import { quoteText } from "../text.js";
import { readHeaderPairs } from "./read-header-pairs.js";
import { invalidInput, refusedByPolicy } from "./refuse-input.js";
import { foldHeaderName, isRefusedHeader, isReservedHeader } from "./refused-headers.js";

export interface HeaderRules {
  /** The header that carries the credential. */
  readonly credentialHeader?: string;
  /** Names of the record's constant headers. */
  readonly constantHeaders: readonly string[];
  /** The only headers the agent may send; absent means any but those the wall refuses. */
  readonly allowedHeaders?: readonly string[];
  /** The header of this API's idempotency key; the agent may bring its own key. */
  readonly idempotencyHeader?: string;
  /** Decides which `Content-Type` may be given. @default "json" */
  readonly bodyFormat?: BodyFormat;
}

const maxCount = 40;
const maxCharacters = 6000;

/** `application/json`, `application/merge-patch+json` and their like, at most with `charset=utf-8`. */
const jsonType = /^(?:application|text)\/(?:[\w.!#$&^-]+\+)?json(?: *; *charset="?utf-8"?)?$/i;
const formType = /^application\/x-www-form-urlencoded(?: *; *charset="?utf-8"?)?$/i;

/**
 * The extra headers of a request, in the spelling they were given (the idempotency header in the record's), as an
 * object without prototype.
 *
 * Names are compared without regard to case and as CGI folds them (`X_Forwarded_For`). Refused are headers that frame,
 * route, identify or override, the credential's, the record's constant ones, a name given twice, and whatever
 * `allowedHeaders` leaves out; `allowedHeaders` can't lift the first two. `Content-Type` may only name the body's own
 * format more exactly, such as `application/merge-patch+json`.
 *
 * @param headers an object, a list of pairs, JSON text of these, or nothing (`null`, `""`, `[]`, `{}`)
 * @throws ApiSourceError `refused_by_policy` for those, `invalid_input` for malformed names and values, more than 40
 *   headers or 6,000 characters
 */
export function checkHeaders(headers: unknown, rules: HeaderRules): Record<string, string> {
  const pairs = readHeaderPairs(headers);
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
    checkName(name, rules);
    if (foldHeaderName(name) === "content-type") checkContentType(value, rules.bodyFormat ?? "json");
    if (seen.has(foldHeaderName(name))) {
      throw refusedByPolicy(`The header ${quoteText(name)} is given twice.`, "Give each header once.");
    }
    seen.add(foldHeaderName(name));
    checked[toRecordSpelling(name, rules)] = value;
  }
  return checked;
}

function checkName(name: string, rules: HeaderRules): void {
  const isSame = (other: string): boolean => foldHeaderName(other) === foldHeaderName(name);
  const configured = [rules.credentialHeader, ...rules.constantHeaders].filter(
    (other) => other !== undefined,
  );
  if (configured.some(isSame)) {
    throw refusedByPolicy(
      `The header ${quoteText(name)} is set by this source's configuration.`,
      "Leave it out: it is added to every request.",
    );
  }
  const isNamed = rules.allowedHeaders?.some((allowed) => allowed.toLowerCase() === name.toLowerCase());
  const isOwnKey = rules.idempotencyHeader?.toLowerCase() === name.toLowerCase();
  if (isRefusedHeader(name) || (isReservedHeader(name) && isNamed !== true && !isOwnKey)) {
    throw refusedByPolicy(
      `The header ${quoteText(name)} can't be set with this tool.`,
      "Leave it out: routing, framing, identity and authentication are not the caller's to set.",
    );
  }
  if (isNamed !== false) return;
  throw refusedByPolicy(
    `The header ${quoteText(name)} is not among those this source allows.`,
    rules.allowedHeaders?.length === 0
      ? "This source allows no extra headers."
      : `Leave it out, or use one of: ${rules.allowedHeaders?.slice(0, 20).join(", ")}.`,
  );
}

/** The body is serialised before the headers are looked at, so another type would only misname its bytes. */
function checkContentType(value: string, format: BodyFormat): void {
  if ((format === "json" ? jsonType : formType).test(value)) return;
  const type = format === "json" ? "application/json" : "application/x-www-form-urlencoded";
  throw refusedByPolicy(
    `The Content-Type ${quoteText(value)} doesn't fit this source, whose bodies are ${type}.`,
    format === "json"
      ? "Leave it out, or name a JSON type such as application/merge-patch+json."
      : "Leave it out: it is added for you.",
  );
}

/** So that whoever adds a key to a write can see that one is there. */
function toRecordSpelling(name: string, { idempotencyHeader }: HeaderRules): string {
  return idempotencyHeader?.toLowerCase() === name.toLowerCase() ? idempotencyHeader : name;
}

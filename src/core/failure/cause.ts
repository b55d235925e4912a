/** A row of the table of causes: what it has, how the row of a failure is found, and how it is written for a model and for a person. */

import type { ErrorCategory } from "../base/errors.js";
import { cleanText } from "./shown-text.js";

/** The verdicts of a connection test; docs/connection-test.md explains each. */
export const connectionVerdicts = [
  "ok",
  "anonymous_ok",
  "reachable",
  "invalid_record",
  "no_test_endpoint",
  "unresolved_placeholder",
  "missing_credentials",
  "malformed_credentials",
  "invalid_credentials",
  "missing_permissions",
  "missing_header",
  "dns",
  "refused",
  "unreachable",
  "tls",
  "timeout",
  "redirected",
  "not_found",
  "method_not_allowed",
  "bad_request",
  "rate_limited",
  "server_error",
  "unexpected_status",
  "not_an_api",
  "error_in_body",
] as const;

export type ConnectionVerdict = (typeof connectionVerdicts)[number];

/** A setting of the record that helps, as data: a program can apply it. */
export interface RecordChange {
  /** Such as `api.baseUrl`. */
  readonly field: string;
  /** The value that the field would have. */
  readonly value: string | readonly string[] | Readonly<Record<string, string>>;
}

/** A status, or all of its class. */
export type StatusSign = number | "2xx" | "3xx" | "4xx" | "5xx";

/** The signs that a failure must show, all of them. */
export interface Signs {
  readonly status?: readonly StatusSign[];
  /** True of one of its codes: of an answer in lower case and without punctuation, else of Node or of this package. */
  readonly code?: RegExp;
  /** Names of facts that have to be known; with `!` in front of one that must not. */
  readonly known?: readonly string[];
}

/**
 * One cause. Its texts name facts as `{name}`; a part in square brackets is left out where one
 * of its facts is unknown, or the one in front of its `?`. `{message}` and `{fix}` in
 * a hint are the texts of the row.
 */
export interface CauseRow {
  readonly verdict: ConnectionVerdict;
  /** For answers: the categories that this row covers (absent: any). Otherwise: the category of the error. */
  readonly category?: ErrorCategory | readonly ErrorCategory[];
  /** Whether waiting can help a request that may be sent again, where no answer came. @default false */
  readonly retryable?: boolean;
  /** The only one who reads it. @default both */
  readonly reader?: Reader;
  readonly when?: Signs;
  /** For a person: what happened, and what it means. */
  readonly message: string;
  /** For a model: what it does about it. @default message and fix: for a user to see to */
  readonly hint?: string;
  /** For the person who configures the source: what to change. */
  readonly fix: string;
  /** The same as data; those without a value are left out. */
  readonly changes?: readonly RecordChange[];
}

/** Rows by their names: the first that fits counts. */
export type CauseTable = Readonly<Record<string, CauseRow>>;

export type Reader = "model" | "person";

/** The facts about a failure, by the names that the rows use; each is found out when it is asked for. */
export type Facts = Readonly<Record<string, (() => string | undefined) | undefined>>;

/** The keys by which a row is found. */
export interface Situation {
  readonly category?: ErrorCategory;
  readonly status?: number;
  readonly codes: readonly string[];
  readonly facts: Facts;
}

/** A cause in words for a person. */
export type Cause = Required<Pick<NamedRow, "name" | "verdict" | "message" | "fix" | "changes">>;

export interface NamedRow extends CauseRow {
  readonly name: string;
}

/** The first row that fits. @throws Error for a table whose last row has a condition. */
export function findCause(table: CauseTable, situation: Situation, reader: Reader): NamedRow {
  for (const [name, row] of Object.entries(table))
    if ((row.reader ?? reader) === reader && isSigned(row, situation)) return { name, ...row };
  throw new Error("No row fits.");
}

function isSigned(
  { category, when = {} }: CauseRow,
  { category: own, status, codes, facts }: Situation,
): boolean {
  const { code, known = [] } = when;
  if (own !== undefined && category !== undefined && ![category].flat().includes(own)) return false;
  if (when.status !== undefined && !isStatus(status, when.status)) return false;
  if (code !== undefined && !codes.some((each) => code.test(each))) return false;
  return known.every((name) =>
    name.startsWith("!") ? !readFact(facts, name.slice(1)) : readFact(facts, name) !== "",
  );
}

/** Whether it is one of them, or of their class. */
export function isStatus(status: number | undefined, signs: readonly StatusSign[]): boolean {
  const hundreds = `${Math.floor((status ?? 0) / 100)}xx`;
  return signs.some((sign) => sign === status || sign === hundreds);
}

function readFact(facts: Facts, name: string): string {
  return facts[name]?.() ?? "";
}

/** The writer for a person. */
export function writeCause(
  { name, verdict, message, fix, changes = [] }: NamedRow,
  facts: Facts,
): Cause {
  return {
    name,
    verdict,
    message: fill(message, facts),
    fix: fill(fix, facts),
    changes: changes.flatMap((change) => fillChange(change, facts)),
  };
}

export const maxHintCharacters = 1_000;
const ofUser = "{message} Don't repeat the call; tell the user. {fix}";
/** A quoted text that ends with a full stop of its own, before the sentence's. */
const doubledStop = /([^\s./])\.\.(?=\s|$)/g;

/** The writer for a model: one to five sentences, at most 1,000 characters. */
export function writeHint({ message, hint = ofUser, fix }: CauseRow, facts: Facts): string {
  const own: Facts = { ...facts, message: () => fill(message, facts), fix: () => fill(fix, facts) };
  return cleanText(fill(hint, own).replace(doubledStop, "$1."), maxHintCharacters);
}

/** Filled once: what a fact contains is not read as a template. */
function fill(template: string, facts: Facts): string {
  const put = (text: string): string =>
    text.replace(nameOfFact, (_, name: string) => readFact(facts, name));
  return template.replace(
    /\[(?:(\w+)\?)?([^[\]]*)\]|\{[a-z]\w*\}/g,
    (whole: string, asked: string | undefined, part: string | undefined) => {
      if (part === undefined) return put(whole);
      const named = [...part.matchAll(nameOfFact)].map(([, name = ""]) => name);
      const names = asked === undefined ? named : [asked, ...named];
      return names.every((name) => readFact(facts, name) !== "") ? put(part) : "";
    },
  );
}

const nameOfFact = /\{([a-z]\w*)\}/g;

/** None where the fact in its value is unknown. */
function fillChange({ field, value }: RecordChange, facts: Facts): RecordChange[] {
  if (typeof value === "string") {
    const filled = fill(value, facts);
    return filled === "" ? [] : [{ field, value: filled }];
  }
  if (Array.isArray(value)) {
    const filled = value.map((each: string) => fill(each, facts)).filter(Boolean);
    return filled.length === 0 ? [] : [{ field, value: filled }];
  }
  const pairs = Object.entries(value).map(([name, text]) => [fill(name, facts), text]);
  return [{ field, value: Object.fromEntries(pairs) }];
}

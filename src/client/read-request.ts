/** The input of `read_api_response`, reduced to what is really there. */

import { ApiSourceError } from "../errors.js";

export interface ReadRequest {
  readonly id: string;
  /** A JMESPath over the whole kept body. */
  readonly select?: string;
  /** A text to search for. */
  readonly find?: string;
  /** The first element, member or character (or match) to show, from 0. */
  readonly offset?: number;
  /** How many of them. */
  readonly limit?: number;
}

const knownMembers = ["id", "select", "find", "offset", "limit"];

/** @throws ApiSourceError `invalid_input` that names the member and what would be right. */
export function parseReadRequest(input: unknown): ReadRequest {
  const given: Record<string, unknown> = typeof input === "object" && input !== null ? { ...input } : {};
  const unknownMember = Object.keys(given).find((name) => !knownMembers.includes(name));
  if (unknownMember !== undefined) {
    throw invalid(
      `The input has no member "${unknownMember.slice(0, 40)}".`,
      `Members are ${knownMembers.join(", ")}.`,
    );
  }
  const { id } = given;
  if (typeof id !== "string" || id === "") {
    throw invalid("id is missing.", "Give the id from shortened.id of an earlier answer, such as r_7f3ak2.");
  }
  const select = parseText("select", given["select"]);
  const find = parseText("find", given["find"]);
  const offset = parseCount("offset", given["offset"], 0);
  const limit = parseCount("limit", given["limit"], 1);
  return {
    id: id.trim(),
    ...(select === undefined ? {} : { select }),
    ...(find === undefined ? {} : { find }),
    ...(offset === undefined ? {} : { offset }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function parseText(name: string, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === "string") return value;
  throw invalid(`${name} is not text.`, `Give ${name} as a string, or leave it out.`);
}

/** Models send numbers as text, too. */
function parseCount(name: string, value: unknown, least: number): number | undefined {
  if (isAbsent(value)) return undefined;
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= least) return count;
  throw invalid(
    `${name} is not a whole number from ${least} on.`,
    `Give ${name} as a number, or leave it out.`,
  );
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function invalid(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, category: "invalid_input", hint });
}

/** The input of `read_api_response`, reduced to the members that are present. */

import { invalidInput } from "../base/errors.js";
import { parseCount, parseString, readMembers } from "../base/input.js";

/** What a read of a kept response takes. */
export interface ReadRequest {
  readonly id: string;
  /** A JMESPath over the whole kept body. */
  readonly select?: string | undefined;
  /** A string to search for. */
  readonly find?: string | undefined;
  /** The first element, member or character (or match) to show, from 0. */
  readonly offset?: number | undefined;
  /** How many of them. */
  readonly limit?: number | undefined;
}

const partMembers = ["id", "select", "find", "offset", "limit"] as const;

/** @throws ApiSourceError `invalid_input` that names the member and what would be right. */
export function parseReadRequest(input: unknown): ReadRequest {
  const given = readMembers(input, partMembers, { example: '{"id":"r_7f3ak2"}' });
  const id = typeof given.id === "string" ? given.id.trim() : "";
  if (id === "") throw invalidInput("id is missing.", "Give the id from shortened.id of an earlier answer.");
  return {
    id,
    select: parseString("select", given.select),
    find: parseString("find", given.find),
    offset: parseCount("offset", given.offset, 0),
    limit: parseCount("limit", given.limit, 0) || undefined,
  };
}

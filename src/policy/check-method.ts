/** Lets only the five methods pass, each in its exact spelling. */

import type { HttpMethod } from "../source/api-source.js";
import { quoteText } from "../text.js";
import { invalidInput, refusedByPolicy } from "./refusal.js";

const knownMethods: readonly HttpMethod[] = ["GET", "POST", "PUT", "DELETE", "PATCH"];

/**
 * Compared before any case mapping: `"poſt".toUpperCase()` is `"POST"`, and would slip past a rule about POST.
 *
 * @param allowed the record's `methods`
 * @throws ApiSourceError `invalid_input` for a missing or misspelt method, `refused_by_policy` for another method
 *   and for one that the record leaves out
 */
export function checkMethod(value: unknown, allowed: readonly HttpMethod[]): HttpMethod {
  const names = allowed.join(", ");
  if (typeof value !== "string" || value === "") {
    throw invalidInput("The method is missing.", `Send one of: ${names}.`);
  }
  const method = knownMethods.find((known) => known === value);
  if (method === undefined) throw unknownMethod(value, names);
  if (allowed.includes(method)) return method;
  throw refusedByPolicy(`This source doesn't allow ${method}.`, `Use one of: ${names}.`);
}

function unknownMethod(value: string, names: string): Error {
  const meant = knownMethods.find((known) => known.toLowerCase() === value.trim().toLowerCase());
  if (meant !== undefined) {
    return invalidInput(`The method ${quoteText(value)} is not spelt exactly.`, `Send ${quoteText(meant)}.`);
  }
  return refusedByPolicy(`The method ${quoteText(value)} can't be used.`, `Use one of: ${names}.`);
}

/** Fills the `{name}` placeholders of a path, each with exactly one percent-encoded segment. */

import { ApiSourceError } from "../errors.js";
import { hasDotSegment } from "./path-readings.js";
import { fillPlaceholders, findPlaceholderNames } from "./placeholders.js";

/** The value of a placeholder; it has one, that was made sure of before. */
export type ReadVariable = (name: string) => string;

/**
 * Takes a path, with a query or without, as it stands in the record's field. A segment that a value would turn into
 * `.` or `..` on any server, also in company of what stands around it, is refused.
 *
 * @throws ApiSourceError `not_configured`, code `malformed_placeholder`, that names the placeholder and not its value.
 */
export function fillPath(template: string, field: string, readVariable: ReadVariable): string {
  return template
    .split("/")
    .map((segment) => fillSegment(segment, field, readVariable))
    .join("/");
}

function fillSegment(segment: string, field: string, readVariable: ReadVariable): string {
  const [first] = findPlaceholderNames(segment);
  if (first === undefined) return segment;
  const filled = fillPlaceholders(segment, (name) => encodeValue(name, field, readVariable(name)));
  if (!hasDotSegment(filled)) return filled;
  throw refusePlaceholder(
    first,
    field,
    "it would make a `.` or `..` segment, which leads to another path",
    "Give one segment of the path, without `..`.",
  );
}

function encodeValue(name: string, field: string, value: string): string {
  if (value !== "" && !/[\p{Cc}\p{Cs}]/u.test(value)) return encodeURIComponent(value);
  throw refusePlaceholder(
    name,
    field,
    "it is empty, or holds a line break or another character that no URL can carry",
    "Give one segment of the path as plain text.",
  );
}

/** Says why a value can't stand where its placeholder is, without the value: it may be a secret. */
export function refusePlaceholder(name: string, field: string, why: string, hint: string): ApiSourceError {
  return new ApiSourceError({
    message: `The value of the placeholder {${name}} can't stand in \`${field}\`: ${why}.`,
    category: "not_configured",
    code: "malformed_placeholder",
    details: { placeholder: name, field },
    hint: `${hint} The value comes from \`api.variables.${name}\`${name === "username" ? ", or is the username of the credential" : ""}.`,
  });
}

/** Holds a call's JSON body against the schema of its operation. Bodies of other kinds are the API's to judge. */

import { quoteText } from "../text.js";
import { findValueFlaws, parseText, type ValueFlaw } from "./check-value.js";
import type { Description } from "./description.js";
import { type CheckedCall, createMistake, describeExpected, type Mistake } from "./mistake.js";
import { findNearestName } from "./nearest.js";
import { findJson, isJsonType, type Media, type Operation } from "./operation.js";

/** A larger body would take longer to look at than a mistake in it costs. */
const maxBytes = 1_000_000;

export function checkBody(description: Description, operation: Operation, call: CheckedCall): Mistake[] {
  const { body } = operation;
  if (body === undefined) return [];
  const json = findJson(body.media);
  if (call.body === undefined) {
    return body.isRequired ? [describeMissingBody(description, json)] : [];
  }
  const isJson = call.contentType === undefined || isJsonType(call.contentType);
  if (json === undefined || !isJson || call.body.length > maxBytes) return [];
  const value = parseText(new TextDecoder().decode(call.body));
  if (value === undefined) return [];
  const { document } = description;
  const broken = description.listBrokenRules(operation, json);
  return findValueFlaws(json.schema, value, { document })
    .filter(({ kind, place }) => !broken.has(`${kind} ${place}`))
    .map(describeFlaw);
}

function describeMissingBody(description: Description, json: Media | undefined): Mistake {
  const required = json === undefined ? [] : description.listRequired(json.schema);
  const names = required.map((name) => `\`${name}\``).join(", ");
  return createMistake("missing_body", "body", {
    message: "The body is missing.",
    hint: required.length === 0 ? "Send a body." : `Send a body with ${names}.`,
    given: "",
    expected: required.length === 0 ? ["body"] : required,
  });
}

function describeFlaw({ kind, at, expected, given }: ValueFlaw): Mistake {
  const where = at === "" ? "body" : at.startsWith("[") ? `body${at}` : `body.${at}`;
  const shown = quoteText(where, 200).slice(1, -1);
  switch (kind) {
    case "type":
      return createMistake("member_type", where, {
        message: `\`${shown}\` is ${/^[aeiou]/.test(given) ? "an" : "a"} ${given}.`,
        hint: `\`${shown}\` ${describeExpected("type", expected, given)}.`,
        given,
        expected,
      });
    case "enum":
      return createMistake("member_enum", where, {
        message: `\`${shown}\` is ${quoteText(given, 80)}.`,
        hint: `\`${shown}\` ${describeExpected("enum", expected, given)}.`,
        given,
        expected,
      });
    case "missing": {
      const type = expected.length === 0 ? "" : `, of type ${expected.join(" or ")}`;
      return createMistake("missing_member", where, {
        message: `\`${shown}\` is missing.`,
        hint: `Add \`${shown}\`${type}.`,
        given,
        expected: [at.split(".").at(-1) ?? at],
      });
    }
    default: {
      const nearest = findNearestName(given, expected);
      const all = `There are ${expected.slice(0, 30).join(", ")}.`;
      return createMistake("unknown_member", where, {
        message: `There is no \`${shown}\`.`,
        hint:
          nearest === undefined ? all : `The nearest to ${quoteText(given, 80)} is \`${nearest}\`. ${all}`,
        given,
        expected: nearest === undefined ? expected : [nearest],
      });
    }
  }
}

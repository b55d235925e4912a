/** Values of confidential sources in words, without the values. */

import { ApiSourceError } from "../errors.js";
import { clipText, quoteText } from "../text.js";
import type { FlowValue } from "./flow.js";

const mostCharacters = 600;

/** `values of the confidential source payroll: employees[].iban (id)`, for each source. */
export function describeFlow(values: readonly FlowValue[]): string {
  const sources = [...new Set(values.map(({ source }) => source))];
  const texts = sources.map((source) => {
    const own = values.filter((each) => each.source === source);
    if (own.every(({ kind }) => kind === "unknown"))
      return `perhaps values of ${source === "*" ? "a confidential source" : `the confidential source ${source}`} (some shown values can't be compared)`;
    const fields = own
      .filter(({ kind }) => kind !== "unknown")
      .map(({ field, kind }) => `${quoteText(field, 100).slice(1, -1)} (${kind})`);
    return `values of the confidential source ${source}: ${fields.join(", ")}`;
  });
  return clipText(texts.join("; "), mostCharacters);
}

/** The answer to a request that must not be sent. */
export function refuseFlow(values: readonly FlowValue[]): ApiSourceError {
  return new ApiSourceError({
    message: `The request repeats ${describeFlow(values)}. Nothing was sent.`,
    category: "refused_by_policy",
    code: "confidential_values",
    details: { flow: values },
    hint: "Leave these values out. The user can change the option `flow` or the record.",
  });
}

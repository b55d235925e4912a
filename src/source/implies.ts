/** States in JSON Schema a rule that spans several fields; zod has no word for it that its generator understands. */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whatever fits `condition` must fit `consequence` too. Every draft of JSON Schema knows these keywords. */
export function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

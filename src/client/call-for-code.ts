/** Calls whose answer is for code rather than for a model: a whole document, or bytes. */

import type { CallContext } from "../runtime.js";
import { resolveCall, type Showing } from "./call.js";
import type { WholeOutcome } from "./outcome.js";
import type { CallableSource } from "./running-call.js";
import { type BytesOutcome, createBytesReader } from "./show-bytes.js";
import { showWhole } from "./show-whole.js";

/**
 * Runs one call whose answer is for code: the whole redacted document as JSON text, no view, nothing kept. An integer beyond 2^53 is a
 * string in it. Rejects only with the caller's own abort reason.
 *
 * @param followsPages - Whether a GET that names no page of its own gets all pages, as far as the source's limits go.
 */
export function callSourceWhole(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
  { followsPages = false }: { readonly followsPages?: boolean } = {},
): Promise<WholeOutcome> {
  const show: Showing["show"] = async (_call, shown) => showWhole(shown);
  return resolveCall(callable, input, context, { followsPages, show });
}

/**
 * Runs one call whose body is wanted as bytes. A secret in them is replaced as in every text; a body that did not arrive whole is a failure.
 * Rejects only with the caller's own abort reason.
 */
export async function callSourceBytes(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<BytesOutcome> {
  const reader = createBytesReader();
  return reader.describe(
    await resolveCall(callable, input, context, {
      followsPages: false,
      check: reader.check,
      show: reader.show,
    }),
  );
}

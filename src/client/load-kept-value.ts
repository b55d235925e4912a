/** A kept body for code: a plain value, whole or selected. */

import { applyNativeNumbers } from "../json/exact-number.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { CallContext } from "../runtime.js";
import { parseKeptText } from "../store/parse-kept-text.js";
import type { ClientRuntime } from "./create-client-runtime.js";

export async function loadKeptValue(
  runtime: ClientRuntime,
  id: string,
  { select, context }: { readonly select?: string; readonly context: CallContext },
): Promise<unknown> {
  const engine = select === undefined ? undefined : await loadQueryEngine();
  if (select !== undefined) engine?.check(select);
  const kept = await runtime.archive.load(id, context);
  if (kept === undefined) return undefined;
  if (kept.kind === "binary") return Uint8Array.from(Buffer.from(kept.text, "base64"));
  const document = await parseKeptText(kept.text, kept.kind, kept.contentType);
  return applyNativeNumbers(
    engine === undefined || select === undefined
      ? document
      : engine.run(document, select, { kind: kept.kind }).value,
  );
}

/** The span of the application that is active, where it uses OpenTelemetry. */

/**
 * The place that all versions of `@opentelemetry/api` 1.x share in a process, and the key of a span in a context. Reading it needs no package, and finds
 * the API whichever copy the application loaded.
 */
const sharedPlace = Symbol.for("opentelemetry.js.api.1");
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** The part of the shared API that is used. */
interface SharedApi {
  readonly context?: { active?(): { getValue?(key: symbol): unknown } };
}

interface ActiveSpan {
  spanContext?(): {
    readonly traceId?: unknown;
    readonly spanId?: unknown;
    readonly traceFlags?: unknown;
  };
}

/** The `traceparent` of the active span; undefined where there is none, or where it can't be read. */
export function findActiveTrace(): string | undefined {
  try {
    const shared: SharedApi | undefined = Reflect.get(globalThis, sharedPlace);
    const span = shared?.context?.active?.().getValue?.(spanKey) as ActiveSpan | undefined;
    const { traceId, spanId, traceFlags } = span?.spanContext?.() ?? {};
    const flags = Number(traceFlags).toString(16).padStart(2, "0");
    return toTraceparent(`00-${String(traceId)}-${String(spanId)}-${flags}`);
  } catch {
    return undefined;
  }
}

/** W3C Trace Context, section 3.2: an id of zeros alone is invalid. */
function toTraceparent(text: string): string | undefined {
  const isValid = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
  return isValid ? text : undefined;
}

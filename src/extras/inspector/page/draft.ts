/** A call to begin with in the form: the fields of the form, made of the input of an earlier call. */

export interface Draft {
  readonly source: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly select: string;
  readonly pages: string;
  readonly wait: string;
  /** The members that have no field of their own, as a JSON object; `""` without one. */
  readonly more: string;
}

/** @param text - The input of a tool, as JSON. @returns undefined where it is not an object */
export function toDraft(source: string, text: string): Draft | undefined {
  const input = readObject(text);
  if (input === undefined) return undefined;
  const { method, path, body, select, pages, wait, ...others } = input;
  const more = Object.entries(others).filter(([, value]) => value !== null && value !== "");
  return {
    source,
    method: writeField(method) || "GET",
    path: writeField(path),
    body: writeField(body),
    select: writeField(select),
    pages: writeField(pages),
    wait: writeField(wait),
    more: more.length === 0 ? "" : JSON.stringify(Object.fromEntries(more)),
  };
}

/** Reads a JSON object; an empty text is an empty one. */
export function readObject(text: unknown): Record<string, unknown> | undefined {
  if (text === undefined || text === "") return {};
  try {
    const value: unknown = JSON.parse(String(text));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function writeField(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

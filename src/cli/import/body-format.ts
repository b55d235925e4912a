/** How the body of a request that somebody sent is written: by its Content-Type, which states it. */

/** `other` is a body that no `bodyFormat` of a record names, such as XML, text or bytes. */
export type SentFormat = "json" | "form" | "multipart" | "other";

/**
 * Reads a Content-Type; `application/json;odata=verbose` is JSON.
 *
 * @returns undefined for an empty one, or a variable without a value.
 */
export function readSentFormat(contentType: string | undefined): SentFormat | undefined {
  const [type = ""] = (contentType ?? "").toLowerCase().split(";");
  const name = type.trim();
  if (!/^[\w.+-]+\/[\w.+*-]+$/.test(name)) return undefined;
  if (/[/+]json$/.test(name)) return "json";
  if (name === "application/x-www-form-urlencoded") return "form";
  if (name === "multipart/form-data") return "multipart";
  return "other";
}

/** The Content-Type among the headers of a request; undefined without one. */
export function findContentType(
  headers: readonly (readonly [name: string, value: string])[],
): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
}

/** A built request in words for a person, with a digest of its bytes. */

import { createHash } from "node:crypto";
import { clipAtGrapheme } from "../text.js";
import type { ApprovalRequest, GatedCall } from "./approval.js";

/** The most of a body that a person is shown, in characters. */
const maxShownCharacters = 10_000;

/** Describes what would be sent; every secret is redacted. */
export function describeRequest(call: GatedCall): ApprovalRequest {
  const { source, args, built, redactor } = call;
  const body = describeBody(call);
  const headers = args["headers"] === undefined ? undefined : describeHeaders(call);
  return {
    source: source.slug,
    method: built.method,
    url: redactor.redact(built.wire.url),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    digest: createDigest(call),
    args: redactor.redactValue({ ...args }),
  };
}

function describeHeaders({
  source,
  built: { wire, generatedHeader },
  redactor,
}: GatedCall): Record<string, string> {
  const constant = [...Object.keys(source.api.headers), generatedHeader].map((name) => name?.toLowerCase());
  const own = Object.entries(wire.headers).filter(([name]) => !constant.includes(name.toLowerCase()));
  return redactor.redactValue(Object.fromEntries(own));
}

function describeBody({ built: { wire }, redactor }: GatedCall): string | undefined {
  if (wire.body === undefined) return undefined;
  const isForm = listHeaders(wire.headers).some(
    ([name, value]) => name === "content-type" && value.startsWith("application/x-www-form-urlencoded"),
  );
  const sent = new TextDecoder().decode(wire.body);
  const fields = isForm
    ? [...new URLSearchParams(sent)].map((pair) => pair.map(escapeLines).join(" = "))
    : [];
  return showText(redactor.redact(isForm ? fields.join("\n") : sent));
}

/** A line break in a field must not look like another field. */
function escapeLines(field: string): string {
  return field.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/**
 * A text as a person is shown it: its beginning, and as `\u{…}` every character that has no shape, or turns the direction of what follows. They
 * would read something else than what is sent.
 */
export function showText(given: string): string {
  const text = given.replace(
    /[^\P{C}\n\t]|[\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  if (text.length <= maxShownCharacters) return text;
  return `${clipAtGrapheme(text, maxShownCharacters)}… (the first ${maxShownCharacters} of ${text.length} characters)`;
}

/**
 * A constant secret among headers or query stands in it as `[REDACTED]`: a short one could be guessed from a hash, and a renewed one must
 * not make an approval void. Nor must a fresh idempotency key.
 */
function createDigest({ built: { wire, generatedHeader }, redactor, context }: GatedCall): string {
  const headers = listHeaders(wire.headers).filter(([name]) => name !== generatedHeader?.toLowerCase());
  const threadId = context.threadId ?? context.configurable?.["thread_id"] ?? null;
  const words = [wire.method, wire.url, headers].map((part) => redactor.redact(JSON.stringify(part)));
  return createHash("sha256")
    .update(JSON.stringify([...words, threadId, context.run?.place ?? null]))
    .update(wire.body ?? "")
    .digest("hex");
}

function listHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/** A built request in words for a person, with a digest of its bytes. */

import { createHash, createHmac, randomBytes } from "node:crypto";
import { findHeaderKind } from "../../core/base/header-kinds.js";
import { dropUndefined } from "../../core/base/input.js";
import { findThread } from "../../core/base/runtime.js";
import { clipAtCharacter, escapeLines, plural, writeEscape } from "../../core/base/text.js";
import { type ApprovalRequest, type CallToApprove, listSources } from "../../core/call/slots.js";
import type { SentFile } from "../../core/request/wire-request.js";
import { redactMembers } from "../../core/secrets/redactor.js";

/** The most of a body that a person is shown, in characters. */
const maxShownCharacters = 10_000;
/** Only the beginning of a body of megabytes is searched for secrets. */
const maxReadCharacters = 100_000;

/** Keeps a byte order mark: it is sent. */
const asSent = new TextDecoder("utf-8", { ignoreBOM: true });

/** For calls outside of a run: their questions are answered in the same process. */
const processKey = randomBytes(32).toString("base64url");

/**
 * Describes what would be sent; every secret is redacted.
 *
 * @param always - What a decision with `always` would cover.
 * @param key - The key of the digest. @default one of this process
 */
export function describeRequest(
  call: CallToApprove,
  always?: string,
  key: string = processKey,
): ApprovalRequest {
  const { source, built, redactor, flows = [], program } = call;
  const { url, headers, files, code, args } = redactMembers(
    {
      url: built.wire.url,
      headers: call.args["headers"] === undefined ? undefined : listOwnHeaders(call),
      files: built.encoded?.files ?? [],
      code: program?.code,
      args: { ...call.args },
    },
    redactor,
  );
  const body = readBody(call);
  return {
    source: source.slug,
    method: built.method,
    url,
    ...dropUndefined({
      headers:
        headers &&
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, showText(value)])),
      body: body && showText(body.text, body.unread),
      files: files.length === 0 ? undefined : files.map(showNames),
      confidential: flows.length === 0 ? undefined : listSources(flows),
      program: code === undefined ? undefined : showText(code),
      always,
    }),
    digest: createHmac("sha256", key)
      .update(program === undefined ? listDeciding(call) : "")
      .update(nameQuestion(call))
      .update(flows.length === 0 ? "" : JSON.stringify(flows))
      .update(always ?? "")
      .digest("hex"),
    args,
  };
}

function listOwnHeaders({
  source,
  built: { wire, generatedHeader },
}: CallToApprove): Record<string, string> {
  const constant = [...Object.keys(source.api.headers), generatedHeader].map((name) =>
    name?.toLowerCase(),
  );
  const own = Object.entries(wire.headers).filter(
    ([name]) => !constant.includes(name.toLowerCase()),
  );
  return Object.fromEntries(own);
}

/** Whether a person sees only the beginning of the body. */
export function hasUnseenText(call: CallToApprove): boolean {
  const body = readBody(call);
  return body !== undefined && clipShown(body.text, body.unread).unseen > 0;
}

/** The beginning of a body, redacted, and how many characters follow. */
function readBody({
  built: { wire, encoded },
  redactor,
}: CallToApprove): { readonly text: string; readonly unread: number } | undefined {
  if (wire.body === undefined) return undefined;
  const sent = encoded === undefined ? asSent.decode(wire.body) : encoded.text;
  const [, type = ""] = listHeaders(wire.headers).find(([name]) => name === "content-type") ?? [];
  const isForm = /^application\/x-www-form-urlencoded/i.test(type);
  const head = sent?.slice(0, maxReadCharacters);
  const fields = isForm
    ? [...new URLSearchParams(head)].map((pair) => pair.map(escapeLines).join(" = ")).join("\n")
    : head;
  const shown = [encoded?.shown, fields].filter((part) => part !== undefined).join(":\n");
  const read = shown.slice(0, maxReadCharacters);
  const unread = (sent?.length ?? 0) - (head?.length ?? 0) + shown.length - read.length;
  const text = redactor.redactBody(read, { truncated: unread > 0 });
  return { text, unread: unread > 0 ? unread + read.length - text.length : 0 };
}

/** A line break in a name must not look like the next line of the question. */
function showNames({ name, type, part, ...facts }: SentFile): SentFile {
  const show = (text: string): string => showText(escapeLines(text));
  return { part: part && show(part), name: show(name), type: show(type), ...facts };
}

/** Control, format and unassigned characters but line breaks and tabs, spaces but the usual one, and what is drawn as nothing or as a space. */
const invisible = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/**
 * A text as a person is shown it: its beginning, and as `\u{…}` every character that does not show, or that turns the direction of what
 * follows. Without that a person would read something else than what is sent.
 *
 * @param unread - How many characters follow.
 */
function showText(given: string, unread = 0): string {
  const { text, unseen } = clipShown(given, unread);
  const end = unseen === 0 ? "" : `… (${plural(unseen, "more character")} not shown)`;
  return text.replace(invisible, writeEscape) + end;
}

function clipShown(
  given: string,
  unread: number,
): { readonly text: string; readonly unseen: number } {
  const text = clipAtCharacter(given, maxShownCharacters);
  return { text, unseen: given.length - text.length + unread };
}

/**
 * A name of the question: a hash of what the person is shown, of the body, of the thread, and of the place in the run. Every secret in it is
 * `[REDACTED]`: a short one could be guessed from a hash without a key. A new idempotency key does not change it. Of a run of code it is the flows and
 * the code, whichever request comes first.
 */
export function nameQuestion({
  source,
  built,
  redactor,
  context,
  program,
  flows,
}: Omit<CallToApprove, "deadline">): string {
  const { wire } = built;
  const threadId = findThread(context) ?? null;
  if (program !== undefined) {
    const { code, place = null } = program;
    const to = [source.slug, source.api.baseUrl];
    return createHash("sha256")
      .update(JSON.stringify([redactor.redact(code), flows, to, threadId, place]))
      .digest("hex");
  }
  const headers = listLastingHeaders(built);
  const words = [wire.method, wire.url, headers].map((part) =>
    redactor.redact(JSON.stringify(part)),
  );
  return createHash("sha256")
    .update(JSON.stringify([...words, threadId, context.run?.place ?? null]))
    .update(wire.body ?? "")
    .digest("hex");
}

/**
 * The parts that decide where the request goes and for whom, secrets included: the address, and each header and parameter but the idempotency key and the
 * constant ones that by their name are a credential. Those may be renewed before a person decides.
 */
function listDeciding({ source, built }: CallToApprove): string {
  const [address = "", query = ""] = splitUrl(built.wire.url);
  const isDeciding = (pair: readonly [string, string]): boolean =>
    !isConstant(source, pair) || !isCredential(pair);
  return JSON.stringify([
    address,
    [...new URLSearchParams(query)].filter(isDeciding),
    listLastingHeaders(built).filter(isDeciding),
  ]);
}

/** Tells whose data a request is about, secrets included: the base URL, and the constant parameters and headers that are not a credential. */
export function listTenant({ source, built: { wire, url } }: CallToApprove): unknown {
  const [address = "", query = ""] = splitUrl(wire.url);
  const isTenant = (pair: readonly [string, string]): boolean =>
    isConstant(source, pair) && !isCredential(pair);
  const base = address.slice(0, address.length - url.path.length);
  return [
    base,
    [...new URLSearchParams(query)].filter(isTenant),
    listHeaders(wire.headers).filter(isTenant),
  ];
}

function splitUrl(url: string): string[] {
  return url.split(/\?(.*)/s);
}

function isConstant({ api }: CallToApprove["source"], [name]: readonly [string, string]): boolean {
  const names = [...Object.keys(api.query), ...Object.keys(api.headers)];
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}

function isCredential([name]: readonly [string, string]): boolean {
  return findHeaderKind(name) === "credential";
}

/** Lists the headers, but not the idempotency key, which is new each time. */
function listLastingHeaders({ wire, generatedHeader }: CallToApprove["built"]): [string, string][] {
  return listHeaders(wire.headers).filter(([name]) => name !== generatedHeader?.toLowerCase());
}

function listHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

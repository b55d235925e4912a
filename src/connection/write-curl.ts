/** Requests as curl lines for a POSIX shell, with `$NAME` in place of the credential and of each secret. */

import { type RequestTemplate, templateRequest } from "../call/build-request.js";
import type { Probe } from "../call/probe-source.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import { VariableMarks } from "../secrets/variable-marks.js";
import type { ApiSource } from "../source/api-source.js";

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CurlLine {
  readonly curl: string;
  /** What has to be done before the line is pasted, and what it leaves out. */
  readonly notes: readonly string[];
}

/**
 * Writes the line that sends what the test sent. `found` are the variables that the credential was read from, one or two.
 *
 * @returns undefined when a secret is where nothing can be put in its place.
 */
export async function writeCurl(
  source: ApiSource,
  runtime: ClientRuntime,
  probe: Probe,
  found: readonly string[],
): Promise<CurlLine | undefined> {
  const template = await templateRequest(source, runtime, probe.prepared);
  if (template === undefined) return undefined;
  const { built, headers, issuedToken, marks } = template;
  const { url } = built.wire;
  const isSigned = probe.prepared.credential?.kind === "signer";
  const variables = issuedToken === undefined ? found : [issuedToken];
  const credential = markAll(variables, marks);
  const words = [
    "curl -i --compressed",
    ...(url.startsWith("https:") ? ["--http1.1"] : []),
    // Without -g, brackets and braces are patterns to curl.
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
    ...(isSigned ? [] : writeCredential(source, credential, marks)),
    ...writeHeaders(headers, marks),
    quoteWord(isSigned ? url : addCredentialParameter(source, url, credential[0]), marks),
  ];
  return { curl: words.join(" "), notes: listNotes(source, probe, template, variables) };
}

/**
 * A request of a call as a line.
 *
 * @param request - Without the credential.
 * @param variables - Those that the credential is read from, one or two.
 * @param options - `marks`: those in the request. `form`: options of curl for the parts of a multipart body.
 */
export function writeRequestCurl(
  source: ApiSource,
  { method, url, headers, body }: CurlRequest,
  variables: readonly string[],
  { marks = new VariableMarks(), form = [] }: { marks?: VariableMarks; form?: readonly string[] } = {},
): CurlLine {
  const { authType, queryParam = "" } = source.api;
  const credential = markAll(variables, marks);
  const words = [
    "curl -i --compressed -g",
    ...(method === "GET" ? [] : [`-X ${quoteWord(method)}`]),
    // An option that encodes the value, and not the name, since curl 7.87.
    ...(authType === "query"
      ? [`--url-query ${quoteWord(`${encodeURIComponent(queryParam)}=${credential[0]}`, marks)}`]
      : writeCredential(source, credential, marks)),
    ...writeHeaders(headers, marks),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(body, marks)}`]),
    ...form,
    quoteWord(url, marks),
  ];
  const notes = body?.includes("\0")
    ? ["The curl line leaves out the NUL characters of the body: no argument can contain one."]
    : [];
  return { curl: words.join(" "), notes };
}

type Marked = readonly [first: string, ...second: string[]];

function markAll([first = "CREDENTIAL", ...second]: readonly string[], marks: VariableMarks): Marked {
  return [marks.mark(first), ...second.map((name) => marks.mark(name))];
}

/** `Name:` would take the header away; `Name;` sends it empty. */
function writeHeaders(headers: CurlRequest["headers"], marks: VariableMarks): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `-H ${quoteWord(value === "" ? `${name};` : `${name}: ${value}`, marks)}`,
  );
}

/** The header or option of the credential; one in the query is a part of the URL. */
function writeCredential({ api }: ApiSource, credential: Marked, marks: VariableMarks): string[] {
  const { authType, authScheme, headerName } = api;
  if (authType === "basic") return [`-u ${quoteWord(credential.join(":"), marks)}`];
  if (authType === "header") return [`-H ${quoteWord(`${headerName}: ${credential[0]}`, marks)}`];
  const token = authScheme === "" ? credential[0] : `${authScheme} ${credential[0]}`;
  return authType === "bearer" ? [`-H ${quoteWord(`Authorization: ${token}`, marks)}`] : [];
}

/** The URL with the parameter of the credential, where the record sends it so. */
export function addCredentialParameter({ api }: ApiSource, url: string, value: string): string {
  if (api.authType !== "query") return url;
  return `${url}${url.includes("?") ? "&" : "?"}${encodeURIComponent(api.queryParam ?? "")}=${value}`;
}

function listNotes(
  { api }: ApiSource,
  { prepared: { credential } }: Probe,
  { built, encodedNames, issuedToken, marks }: RequestTemplate,
  variables: readonly string[],
): string[] {
  const token = api.authType === "query" && credential?.kind === "token" ? credential.token : "";
  const encoded = [
    ...marks.split(built.wire.url).filter((part, index) => index % 2 === 1 && encodedNames.has(part)),
    ...(encodeURIComponent(token) === token ? [] : variables.slice(0, 1)),
  ];
  const { proxy, ca, cert, key } = api.network;
  const left = Object.entries({ proxy, ca, cert, key }).filter(([, value]) => value !== undefined);
  const fields = left.map(([field]) => `\`api.network.${field}\``).join(", ");
  const isSigned = credential?.kind === "signer";
  const isIssued = issuedToken !== undefined && !isSigned;
  const isCookie = api.login?.cookie !== undefined;
  const notes = [
    isSigned && "The curl line is not signed: `sign` adds its headers and parameters when a request is sent.",
    isIssued &&
      !isCookie &&
      `The curl line takes the access token from $${issuedToken}: set it to a token that was issued.`,
    isIssued &&
      isCookie &&
      `The curl line takes the session cookie from $${issuedToken}: set it to NAME=value as the login call sets it.`,
    ...[...new Set(encoded)].map(
      (name) => `The curl line has $${name} in its URL: percent-encode the value before you paste the line.`,
    ),
    fields !== "" && `The curl line leaves out ${fields}: add --proxy, --cacert, --cert or --key.`,
  ];
  return notes.filter((note) => note !== false);
}

/**
 * One word of a POSIX shell (XCU 2.2): in double quotes where a variable is in it and nothing else is special there, else in single quotes that
 * keep everything but themselves. NUL is dropped: no argument can contain it.
 *
 * @param marks - The variables in it. Without them all of it is text.
 */
export function quoteWord(word: string, marks?: VariableMarks): string {
  const text = word.replaceAll("\0", "");
  const parts = marks?.split(text) ?? [text];
  // zsh reads a word that begins with `=` as the path of a program.
  if (parts.length === 1 && /^(?!=)[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (parts.length > 1 && parts.every((part) => !/["$`\\!\p{Cc}]/u.test(part))) {
    const written = parts.map((part, index) => {
      if (index % 2 === 0) return part;
      return /^[A-Za-z0-9_]/.test(parts[index + 1] ?? "") ? `\${${part}}` : `$${part}`;
    });
    return `"${written.join("")}"`;
  }
  const quoted = parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : quoteText(part)));
  return quoted.join("") || "''";
}

/** A line that is pasted is typed: Ctrl-C among its characters would end it, and what follows would be a command of its own. */
function quoteText(text: string): string {
  const parts = text.split(/([^\P{Cc}\n]+)/u);
  const quoted = parts.map((part, index) => {
    const codes = [...Buffer.from(part)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
    if (index % 2 === 1) return `"$(printf '${codes.join("")}')"`;
    return part === "" ? "" : `'${part.replaceAll("'", `'\\''`)}'`;
  });
  return quoted.join("");
}

/** Requests as curl lines for a POSIX shell, with `$NAME` in place of the credential and of each secret. */

import { type RequestTemplate, templateRequest } from "../call/build-request.js";
import type { Probe } from "../call/probe-source.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { ApiSource } from "../source/api-source.js";

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CurlLine {
  /** Absent when a secret is where nothing can be put in its place. */
  readonly curl?: string;
  /** What has to be done before the line is pasted, and what it leaves out. */
  readonly notes: readonly string[];
}

/** Writes the line that sends what the test sent. `found` are the variables that the credential was read from, one or two. */
export async function writeCurl(
  source: ApiSource,
  runtime: ClientRuntime,
  probe: Probe,
  found: readonly string[],
): Promise<CurlLine> {
  const template = await templateRequest(source, runtime, probe.prepared);
  if (template === undefined) return { notes: [] };
  const isSigned = probe.prepared.credential?.kind === "signer";
  const variables = template.issuedToken === undefined ? found : [template.issuedToken];
  const url = markVariables(template.built.wire.url, template);
  const words = [
    "curl -i --compressed",
    ...(url.startsWith("https:") ? ["--http1.1"] : []),
    // Without -g, brackets and braces are patterns to curl.
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
    ...(isSigned ? [] : writeCredential(source, variables)),
    ...writeHeaders(template.headers, (header) => quoteCurlWord(markVariables(header, template))),
    quoteCurlWord(
      isSigned ? url : addCredentialParameter(source, url, markVariable(variables[0] ?? "CREDENTIAL")),
    ),
  ];
  return { curl: words.join(" "), notes: listNotes(source, probe, url, template, variables) };
}

/** A variable in a word that is not quoted yet: no argument of a program contains this character. */
export function markVariable(name: string): string {
  return `\0${name}\0`;
}

function markVariables(text: string, { marks }: RequestTemplate): string {
  return [...marks].reduce((marked, [given, name]) => marked.replaceAll(given, markVariable(name)), text);
}

/**
 * A request of a call as a line.
 *
 * @param request - Without the credential.
 * @param variables - Those that the credential is read from, one or two.
 * @param options - `quote`: makes one word of the shell. `form`: options of curl for the parts of a multipart body.
 */
export function writeRequestCurl(
  source: ApiSource,
  { method, url, headers, body }: CurlRequest,
  variables: readonly string[],
  { quote = quoteCurlWord, form = [] }: { quote?: (text: string) => string; form?: readonly string[] } = {},
): string {
  const { authType, queryParam = "" } = source.api;
  const parameter = `${queryParam}=${markVariable(variables[0] ?? "")}`;
  const words = [
    "curl -i --compressed -g",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    // An option that encodes it, since curl 7.87.
    ...(authType === "query"
      ? [`--url-query ${quoteCurlWord(parameter)}`]
      : writeCredential(source, variables)),
    ...writeHeaders(headers, quote),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    ...form,
    quote(url),
  ];
  return words.join(" ");
}

/** `Name:` would take the header away; `Name;` sends it empty. */
function writeHeaders(headers: CurlRequest["headers"], quote: (text: string) => string): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`,
  );
}

/** The header or option of the credential; one in the query is a part of the URL. */
function writeCredential({ api }: ApiSource, variables: readonly string[]): string[] {
  const [first = markVariable("CREDENTIAL"), ...second] = variables.map(markVariable);
  const { authType, authScheme, headerName } = api;
  if (authType === "basic") return [`-u ${quoteCurlWord([first, ...second].join(":"))}`];
  if (authType === "header") return [`-H ${quoteCurlWord(`${headerName}: ${first}`)}`];
  const token = authScheme === "" ? first : `${authScheme} ${first}`;
  return authType === "bearer" ? [`-H ${quoteCurlWord(`Authorization: ${token}`)}`] : [];
}

/** The URL with the parameter of the credential, where the record sends it so. */
export function addCredentialParameter({ api }: ApiSource, url: string, value: string): string {
  if (api.authType !== "query") return url;
  return `${url}${url.includes("?") ? "&" : "?"}${encodeURIComponent(api.queryParam ?? "")}=${value}`;
}

function listNotes(
  { api }: ApiSource,
  { prepared: { credential } }: Probe,
  url: string,
  { encodedNames, issuedToken }: RequestTemplate,
  variables: readonly string[],
): string[] {
  const token = api.authType === "query" && credential?.kind === "token" ? credential.token : "";
  const encoded = [
    ...[...encodedNames].filter((name) => url.includes(markVariable(name))),
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

/** One word of a POSIX shell (XCU 2.2): in double quotes where nothing in it is special there, else in single quotes that keep everything but themselves. */
export function quoteCurlWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  // Every second part is the name of a variable.
  const parts = word.split("\0");
  if (parts.length > 1 && parts.every((part) => !/["$`\\!]/.test(part))) {
    const written = parts.map((part, index) => {
      if (index % 2 === 0) return part;
      return /^[A-Za-z0-9_]/.test(parts[index + 1] ?? "") ? `\${${part}}` : `$${part}`;
    });
    return `"${written.join("")}"`;
  }
  const quoted = parts.map((part, index) => {
    if (index % 2 === 1) return `"$${part}"`;
    return part === "" && parts.length > 1 ? "" : `'${part.replaceAll("'", `'\\''`)}'`;
  });
  return quoted.join("");
}

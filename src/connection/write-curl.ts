/** A curl line that sends what the test sent, with `$NAME` in place of the credential and of each secret. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Probe } from "../client/probe-source.js";
import { type RequestTemplate, templateRequest } from "../client/template-request.js";
import type { ApiSource } from "../source/api-source.js";

export interface CurlLine {
  /** Absent when a secret stands where nothing can be put in its place. */
  readonly curl?: string;
  /** What has to be done before the line is pasted, and what it leaves out. */
  readonly notes: readonly string[];
}

/** A literal string, or a variable that the shell fills in. */
type Part = string | { readonly variable: string };

/** Writes the line for a POSIX shell. `variables` are those that the credential is read from, one or two. */
export async function writeCurl(
  source: ApiSource,
  runtime: ClientRuntime,
  probe: Probe,
  variables: readonly string[],
): Promise<CurlLine> {
  const template = await templateRequest(source, runtime, probe.prepared);
  if (template === undefined) return { notes: [] };
  const { url } = template.built.wire;
  const headers = Object.entries(template.headers).map(([name, value]): Part[] =>
    // `Name:` would take the header away; `Name;` sends it empty.
    value === "" ? [`${name};`] : [`${name}: `, ...splitMarks(value, template)],
  );
  const words = [
    "curl -i --compressed",
    ...(url.startsWith("https:") ? ["--http1.1"] : []),
    // Brackets and braces are patterns to curl unless it is told otherwise.
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
    ...writeCredential(source, variables),
    ...headers.map((parts) => `-H ${quoteWord(parts)}`),
    quoteWord([...splitMarks(url, template), ...writeParameter(source, url, variables)]),
  ];
  return { curl: words.join(" "), notes: listNotes(source, probe, template, variables) };
}

/** The header or option of the credential; one in the query is a part of the URL. */
function writeCredential({ api }: ApiSource, [first = "CREDENTIAL", second]: readonly string[]): string[] {
  const secret = { variable: first };
  switch (api.authType) {
    case "bearer":
      return [
        `-H ${quoteWord([`Authorization: ${api.authScheme === "" ? "" : `${api.authScheme} `}`, secret])}`,
      ];
    case "header":
      return [`-H ${quoteWord([`${api.headerName}: `, secret])}`];
    case "basic":
      return [`-u ${quoteWord(second === undefined ? [secret] : [secret, ":", { variable: second }])}`];
    default:
      return [];
  }
}

function writeParameter(
  { api }: ApiSource,
  url: string,
  [variable = "CREDENTIAL"]: readonly string[],
): Part[] {
  if (api.authType !== "query") return [];
  return [`${url.includes("?") ? "&" : "?"}${encodeURIComponent(api.queryParam ?? "")}=`, { variable }];
}

function listNotes(
  { api }: ApiSource,
  { prepared }: Probe,
  template: RequestTemplate,
  variables: readonly string[],
): string[] {
  const { credential } = prepared;
  const inUrl = splitMarks(template.built.wire.url, template).flatMap((part) =>
    typeof part === "string" ? [] : [part.variable],
  );
  const isEncoded =
    api.authType === "query" &&
    credential?.kind === "token" &&
    encodeURIComponent(credential.token) !== credential.token;
  const encoded = [
    ...inUrl.filter((name) => template.encodedNames.has(name)),
    ...(isEncoded ? variables.slice(0, 1) : []),
  ];
  const { proxy, ca, cert, key } = api.network;
  const left = Object.entries({ proxy, ca, cert, key }).filter(([, value]) => value !== undefined);
  return [
    ...new Set(
      encoded.map(
        (name) =>
          `The curl line has $${name} in its URL: percent-encode the value before you paste the line.`,
      ),
    ),
    ...(left.length === 0
      ? []
      : [
          `The curl line leaves out ${left.map(([field]) => `\`api.network.${field}\``).join(", ")}: add --proxy, --cacert, --cert or --key.`,
        ]),
  ];
}

function splitMarks(text: string, { marks }: RequestTemplate): Part[] {
  if (marks.size === 0) return [text];
  return text.split(new RegExp(`(${[...marks.keys()].join("|")})`)).flatMap((part): Part[] => {
    const variable = marks.get(part);
    if (variable !== undefined) return [{ variable }];
    return part === "" ? [] : [part];
  });
}

function mergeLiterals(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string") merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  return merged;
}

/** One word of a POSIX shell (XCU 2.2): in double quotes where nothing in it is special there, else in single quotes that keep everything but themselves. */
function quoteWord(given: readonly Part[]): string {
  const parts = mergeLiterals(given);
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string" && /^[A-Za-z0-9_@%+=:,./-]+$/.test(only)) return only;
  const isPlain = parts.every((part) => typeof part !== "string" || /^[^"$`\\!]*$/.test(part));
  if (isPlain && parts.some((part) => typeof part !== "string")) {
    const written = parts.map((part, index) =>
      typeof part === "string" ? part : writeVariable(part.variable, parts[index + 1]),
    );
    return `"${written.join("")}"`;
  }
  return parts
    .map((part) => (typeof part === "string" ? `'${part.replaceAll("'", `'\\''`)}'` : `"$${part.variable}"`))
    .join("");
}

function writeVariable(name: string, next: Part | undefined): string {
  return typeof next === "string" && /^[A-Za-z0-9_]/.test(next) ? `\${${name}}` : `$${name}`;
}

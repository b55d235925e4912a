/** A curl line that sends what the test sent, with `$NAME` in place of the credential and of each secret. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Probe } from "../client/probe-source.js";
import { type RequestTemplate, templateRequest } from "../client/template-request.js";
import type { Finding, Subject } from "./finding.js";
import { quoteHeader, quoteShell, type ShellPart } from "./quote-shell.js";

export interface CurlLine {
  readonly curl: string;
  /** What has to be done before the line is pasted, where there is something. */
  readonly notes: NonNullable<Finding["notes"]>;
}

/** Writes the line for a POSIX shell; undefined when a secret stands where nothing can be put in its place. */
export async function writeCurl(
  subject: Subject,
  probe: Probe,
  runtime: ClientRuntime,
): Promise<CurlLine | undefined> {
  const template = await templateRequest(subject.source, runtime, probe.prepared);
  if (template === undefined) return undefined;
  const target = writeTarget(subject, template);
  const network = writeNetwork(subject);
  const words = [
    "curl -i --compressed",
    ...(subject.url.startsWith("https:") ? ["--http1.1"] : []),
    // Brackets and braces are patterns to curl unless it is told otherwise.
    ...(/[[\]{}]/.test(template.built.wire.url) ? ["-g"] : []),
    ...network.words,
    ...writeCredential(subject),
    ...Object.entries(template.headers).map((header) => `-H ${writeHeader(header, template)}`),
    ...target.words,
  ];
  return { curl: words.join(" "), notes: [...network.notes, ...target.notes] };
}

function writeHeader([name, value]: readonly [string, string], { marks }: RequestTemplate): string {
  // `Name:` would take the header away; `Name;` sends it empty.
  return value === "" ? quoteShell([`${name};`]) : quoteHeader([`${name}: `, ...splitMarks(value, marks)]);
}

/** The headers and options of the credential; one in the query is a part of the URL. */
function writeCredential({ source, origin }: Subject): string[] {
  const { authType, authScheme, headerName = "" } = source.api;
  const [first = "CREDENTIAL", second] = origin.variables;
  const secret = { variable: first };
  switch (authType) {
    case "bearer":
      return [`-H ${quoteShell([`Authorization: ${authScheme === "" ? "" : `${authScheme} `}`, secret])}`];
    case "header":
      return [`-H ${quoteShell([`${headerName}: `, secret])}`];
    case "basic":
      return [`-u ${quoteShell(second === undefined ? [secret] : [secret, ":", { variable: second }])}`];
    default:
      return [];
  }
}

interface Written {
  readonly words: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The URL. A secret in the query whose value is the same when it is percent-encoded stands in the URL as `$NAME`; for
 * others curl does the encoding (`-G --data-urlencode`).
 */
function writeTarget(subject: Subject, template: RequestTemplate): Written {
  const { marks, encodedNames } = template;
  const [path = "", query = ""] = splitOnce(template.built.wire.url, "?");
  const inUrl: ShellPart[][] = [];
  const encoded: string[] = [];
  for (const pair of query === "" ? [] : query.split("&")) {
    const parts = splitMarks(pair, marks);
    if (parts.some((part) => isEncoded(part, encodedNames))) encoded.push(writeEncoded(pair, marks));
    else inUrl.push(parts);
  }
  const { source, credential, origin } = subject;
  if (source.api.authType === "query" && credential?.kind === "token") {
    const secret = { variable: origin.variables[0] ?? "CREDENTIAL" };
    const name = encodeURIComponent(source.api.queryParam ?? "");
    if (encodeURIComponent(credential.token) === credential.token) inUrl.push([`${name}=`, secret]);
    else encoded.push(`--data-urlencode ${quoteShell([`${name}=`, secret])}`);
  }
  const pathParts = splitMarks(path, marks);
  const url = [...pathParts, ...inUrl.flatMap((parts, index) => [index === 0 ? "?" : "&", ...parts])];
  const inPath = pathParts.filter((part) => isEncoded(part, encodedNames));
  return {
    words: [...(encoded.length > 0 ? ["-G", ...encoded] : []), quoteShell(url)],
    notes: inPath.map(
      (part) =>
        `The curl line has $${typeof part === "string" ? part : part.variable} in its path: percent-encode the value before you paste the line.`,
    ),
  };
}

function isEncoded(part: ShellPart, names: ReadonlySet<string>): boolean {
  return typeof part !== "string" && names.has(part.variable);
}

/** curl takes the name as it is and encodes what follows the first `=`. */
function writeEncoded(pair: string, marks: ReadonlyMap<string, string>): string {
  const [name = "", value = ""] = splitOnce(pair, "=");
  return `--data-urlencode ${quoteShell([`${name}=`, ...splitMarks(decodeURIComponent(value), marks)])}`;
}

/** Certificates stand in the record as PEM text, which curl takes from a file only. */
function writeNetwork({ source }: Subject): Written {
  const { proxy, ca, cert, key } = source.api.network;
  const options = [
    ["--cacert", "ca", ca],
    ["--cert", "cert", cert],
    ["--key", "key", key],
  ] as const;
  const given = options.filter(([, , text]) => text !== undefined);
  const files = given.filter(([, , text]) => !isFilePath(text ?? ""));
  return {
    words: [
      ...(proxy === undefined ? [] : [`--proxy ${quoteShell(splitNames(proxy))}`]),
      ...given.map(
        ([option, field, text]) =>
          `${option} ${isFilePath(text ?? "") ? quoteShell([text ?? ""]) : `${field}.pem`}`,
      ),
    ],
    notes: files.map(
      ([, field]) =>
        `The curl line reads \`api.network.${field}\` from the file ${field}.pem: save the PEM text there first.`,
    ),
  };
}

function isFilePath(text: string): boolean {
  return text !== "" && !text.includes("-----BEGIN") && !text.includes("${");
}

/** The parts of a text that holds `${NAME}`. */
function splitNames(text: string): ShellPart[] {
  return text
    .split(/(\$\{[A-Za-z_][A-Za-z0-9_]*\})/)
    .map((part) => (/^\$\{.*\}$/.test(part) ? { variable: part.slice(2, -1) } : part));
}

function splitMarks(text: string, marks: ReadonlyMap<string, string>): ShellPart[] {
  if (marks.size === 0) return [text];
  return text.split(new RegExp(`(${[...marks.keys()].join("|")})`)).map((part) => {
    const variable = marks.get(part);
    return variable === undefined ? part : { variable };
  });
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

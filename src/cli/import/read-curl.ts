/** Reads a pasted curl line into the request that it would send. */

import { parseArgs } from "node:util";
import { findContentType, readSentFormat, type SentFormat } from "./body-format.js";
import { type SentRequest, writeBasic } from "./imported.js";
import { noteScheme, readAddress } from "./read-address.js";
import { splitShell } from "./shell-words.js";

/** Options that take a value, by their short names and by the others (curl's manual). */
const shortNames =
  "H header,u user,X request,d data,F form,A user-agent,b cookie,e referer,x proxy,o output,m max-time,E cert,T upload-file," +
  "w write-out,c cookie-jar,D dump-header,K config,r range,C continue-at,U proxy-user";
const longNames =
  "url,data-raw,data-binary,data-urlencode,data-ascii,json,oauth2-bearer,url-query,form-string,connect-timeout,cacert,key," +
  "resolve,retry,retry-delay,interface,aws-sigv4,cert-type,key-type,pass,proxy-header,limit-rate,max-redirs,unix-socket,noproxy";
const takesText = { type: "string", multiple: true } as const;
const options = Object.fromEntries([
  ...longNames.split(",").map((name) => [name, takesText]),
  ...shortNames.split(",").map((pair) => [pair.slice(2), { ...takesText, short: pair.charAt(0) }]),
  ["get", { type: "boolean" as const, short: "G" }],
]);

/** Options by which curl signs each request, or negotiates: the password itself is never sent. */
const signing: readonly string[] = ["aws-sigv4", "digest", "ntlm", "negotiate"];

/** Options that a record can't contain, each with what to do instead. */
const notesOf: readonly (readonly [names: readonly string[], note: string])[] = [
  [["cert", "key"], "A client certificate: put it into `api.network.cert` and `api.network.key`."],
  [["cacert"], "An authority of its own: put its certificate into `api.network.ca`."],
  [
    ["insecure", "k"],
    "It accepts any certificate, which a record can't: put that of the server's authority into `api.network.ca`.",
  ],
  [
    ["netrc", "n"],
    "Its credential is in a .netrc file, which is not read: give it with --auth basic.",
  ],
  [["proxy"], "A proxy: put it into `api.network.proxy`."],
  [signing, "Its authentication signs each request, which a record can't express."],
  [
    ["upload-file"],
    'It uploads a file: a call sends one by the body {"$file": "ID of a kept file"}.',
  ],
];

/** Whether a text is a curl line with its end: the last line does not go on, and every quote is closed. */
export function isWholeCurl(text: string): boolean {
  if (!isCurl(text) || /[\\^`]\s*$/.test(text)) return false;
  try {
    return splitShell(text).length > 1;
  } catch {
    return false;
  }
}

export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/** The options of a curl line, and the words that are none. */
interface CurlArguments {
  /** Whether one of the options is there. */
  has(...names: readonly string[]): boolean;
  /** The values of these options, in the order of the names. */
  all(...names: readonly string[]): string[];
  readonly positionals: readonly string[];
}

function readArguments(text: string): CurlArguments {
  const args = splitShell(text.replace(/^\s*\$\s+/, "")).slice(1);
  // Not strict: an option that isn't known is a switch.
  const { values, positionals } = parseArgs({ args, options, strict: false });
  return {
    has: (...names) => names.some((name) => values[name] !== undefined),
    all: (...names) =>
      names.flatMap((name) =>
        [values[name] ?? []].flat().filter((value) => typeof value === "string"),
      ),
    positionals,
  };
}

/**
 * @param baseUrl - The value of a variable that the address begins with, as in `curl $BASE_URL/me`.
 * @throws ApiSourceError `invalid_input` for a line without an http(s) URL, or with an open quote.
 */
export function readCurl(text: string, baseUrl?: string): SentRequest {
  const line = readArguments(text);
  const headers = readHeaders(line);
  const dataNames = ["data", "data-raw", "data-binary", "data-ascii", "json"];
  const data = [...line.all(...dataNames), ...line.all("data-urlencode").map(encodeData)].join("&");
  const isQuery = line.has("get");
  const body = isQuery ? "" : data;
  const query = [...line.all("url-query"), ...(isQuery && data !== "" ? [data] : [])].join("&");
  const [address = ""] = [...line.all("url"), ...line.positionals];
  const isForm = line.has("form", "form-string");
  return {
    method: findMethod(line, body !== "" || isForm),
    url: readAddress(address, query, baseUrl),
    headers,
    bodyFormat: findFormat(line, headers, body),
    notes: [
      ...notesOf.filter(([names]) => line.has(...names)).map(([, note]) => note),
      ...(baseUrl === undefined ? noteScheme(address) : []),
    ],
  };
}

/** A value of `--data-urlencode`: the content is encoded, the name before the first `=` is not. */
function encodeData(value: string): string {
  const [, name = "", content = value] = /^([^=@]*)=(.*)$/s.exec(value) ?? [];
  // A `$NAME` or {name} is no content yet.
  const encoded = /[${}]/.test(content) ? content : encodeURIComponent(content);
  return name === "" ? encoded : `${name}=${encoded}`;
}

function readHeaders(line: CurlArguments): [string, string][] {
  const headers = line.all("header").flatMap((header): [string, string][] => {
    const [, name = "", value = ""] = /^([^:;]+):(.*)$/s.exec(header) ?? [];
    return name === "" ? [] : [[name.trim(), value.trim()]];
  });
  for (const token of line.all("oauth2-bearer")) headers.push(["Authorization", `Bearer ${token}`]);
  // A value without `=` names a file, and several values are one header (curl's manual).
  const cookies = line.all("cookie").filter((cookie) => cookie.includes("="));
  if (cookies.length > 0) headers.push(["Cookie", cookies.join("; ")]);
  for (const user of line.has(...signing) ? [] : line.all("user")) {
    const [username = "", ...password] = user.split(":");
    headers.push(["Authorization", writeBasic(username, password.join(":"))]);
  }
  return headers;
}

function findMethod(line: CurlArguments, hasBody: boolean): string {
  const usual = hasBody ? "POST" : "GET";
  const method = line.all("request").at(-1) ?? (line.has("upload-file") ? "PUT" : usual);
  return method.toUpperCase();
}

/** How the body is written: the Content-Type of the line states it; else curl's own of the option, but for JSON text. */
function findFormat(
  line: CurlArguments,
  headers: readonly (readonly [string, string])[],
  body: string,
): SentFormat | undefined {
  const hasForm = line.has("form", "form-string");
  if (!hasForm && body === "" && !line.has("upload-file")) return undefined;
  const stated = readSentFormat(findContentType(headers));
  if (stated !== undefined) return stated;
  if (hasForm) return "multipart";
  if (line.has("json")) return "json";
  if (line.has("upload-file")) return "other";
  // A line of a documentation often leaves out the header of its JSON; of a variable nothing is known.
  if (/^\s*[[{]/.test(body)) return "json";
  return /^\$\{?\w+\}?$/.test(body) ? undefined : "form";
}

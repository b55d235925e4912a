/** Reads a pasted curl line into the request that it would send. */

import { parseArgs } from "node:util";
import { invalidInput } from "../../core/base/errors.js";
import { type SentRequest, writeBasic } from "./imported.js";

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

/** Options of curl that a record can't contain, each with what to do instead. */
const notesOf: readonly (readonly [names: readonly string[], note: string])[] = [
  [["cert", "key"], "A client certificate: put it into `api.network.cert` and `api.network.key`."],
  [["proxy"], "A proxy: put it into `api.network.proxy`."],
  [
    ["aws-sigv4", "digest", "ntlm", "negotiate"],
    "Its authentication signs each request, which a record can't express.",
  ],
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

/** @throws ApiSourceError `invalid_input` for a line without an http(s) URL, or with an open quote. */
export function readCurl(text: string): SentRequest {
  const args = splitShell(text.replace(/^\s*\$\s+/, "")).slice(1);
  // Not strict: an option that isn't known is a switch.
  const { values, positionals } = parseArgs({ args, options, strict: false });
  const has = (...names: string[]): boolean => names.some((name) => values[name] !== undefined);
  const all = (...names: string[]): string[] =>
    names.flatMap((name) =>
      [values[name] ?? []].flat().filter((value) => typeof value === "string"),
    );
  const headers = all("header").flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = /^([^:;]+):(.*)$/s.exec(line) ?? [];
    return name === "" ? [] : [[name.trim(), value.trim()]];
  });
  for (const token of all("oauth2-bearer")) headers.push(["Authorization", `Bearer ${token}`]);
  for (const cookie of all("cookie")) headers.push(["Cookie", cookie]);
  for (const [username = "", ...password] of all("user").map((user) => user.split(":")))
    headers.push(["Authorization", writeBasic(username, password.join(":"))]);
  const body = all("data", "data-raw", "data-binary", "data-urlencode", "data-ascii", "json").join(
    "&",
  );
  const query = [...all("url-query"), ...(has("get") && body !== "" ? [body] : [])].join("&");
  const sends = (body !== "" && !has("get")) || has("form", "form-string");
  const method = has("upload-file") ? "PUT" : sends ? "POST" : "GET";
  const [address = ""] = [...all("url"), ...positionals];
  const url = `${/^[a-z]+:\/\//i.test(address) ? "" : "https://"}${address}`;
  const whole = query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;
  if (!URL.canParse(whole) || !/^https?:\/\//i.test(whole))
    throw invalidInput(
      "The curl line has no http(s) URL.",
      "Paste the whole line, such as: curl https://api.example.com/me -H 'Authorization: Bearer …'",
    );
  return {
    method: (all("request").at(-1) ?? method).toUpperCase(),
    url: new URL(whole),
    headers,
    ...(has("form", "form-string") ? { bodyFormat: "multipart" } : {}),
    ...(sends && body !== "" && !has("json") && !/^\s*[[{]/.test(body)
      ? { bodyFormat: "form" }
      : {}),
    notes: notesOf.filter(([names]) => has(...names)).map(([, note]) => note),
  };
}

/** A space, the end of the command, and what a word is made of: `'…'`, `$'…'`, `"…"`, `\` and a character, and what needs no quotes. */
const token =
  /(\s+)|(&&|[|;]|(?<=\s)[>#])|'([^']*)'|\$'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|\\(.?)|([^\s'"\\|;&$]+|\$(?!')|&(?!&))|./gs;

/**
 * The words of a pasted command, as a POSIX shell and bash's `$'…'` have them, without expanding anything; what follows `|`, `;` or `>`
 * belongs to others.
 *
 * @throws ApiSourceError `invalid_input` for a quote that isn't closed.
 */
function splitShell(text: string): string[] {
  // A line that goes on ends with `\` in a POSIX shell, with `^` in cmd.exe and with a backtick in PowerShell.
  const source = text.replace(/[\\^`]\r?\n/g, " ");
  const words: string[] = [];
  let word: string | undefined;
  for (const [, space, end, single, ansi, double, escaped, plain] of source.matchAll(token)) {
    const quoted =
      single ??
      double?.replace(/\\(["\\$`])/g, "$1") ??
      ansi?.replace(/\\(?:u([\da-f]{1,4})|x([\da-f]{1,2})|(.))/gis, readEscape);
    const part = quoted ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? "") + part;
    else if (end !== undefined) break;
    else if (space === undefined)
      throw invalidInput(
        "A quote of the curl line isn't closed.",
        "Paste the whole line, from `curl` to its end.",
      );
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (space.includes("\n") && words.length > 1) break;
    }
  }
  return word === undefined ? words : [...words, word];
}

function readEscape(_whole: string, unit?: string, byte?: string, character: string = ""): string {
  const code = unit ?? byte;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return { n: "\n", r: "\r", t: "\t" }[character] ?? character;
}

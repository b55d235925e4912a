/** Reads a pasted curl line into the request that it would send. */

import { importError, type SampleRequest } from "./imported.js";

/** Short options that take a value, and what they are called in full (curl's manual). */
const shortNames: ReadonlyMap<string, string> = new Map(
  (
    "H header,u user,X request,d data,F form,A user-agent,b cookie,e referer,x proxy,o output,m max-time,E cert," +
    "T upload-file,w write-out,c cookie-jar,D dump-header,K config,r range,C continue-at,U proxy-user"
  )
    .split(",")
    .map((pair): [string, string] => [pair.charAt(0), pair.slice(2)]),
);
/** Long options that take a value besides those. */
const longNames: ReadonlySet<string> = new Set([
  ...shortNames.values(),
  ...(
    "url,data-raw,data-binary,data-urlencode,data-ascii,json,oauth2-bearer,url-query,form-string,connect-timeout,cacert,key," +
    "resolve,retry,retry-delay,interface,aws-sigv4,cert-type,key-type,pass,proxy-header,limit-rate,max-redirs,unix-socket,noproxy"
  ).split(","),
]);

/** @throws ApiSourceError `invalid_input` for a line without a URL, or with an open quote. */
export function readCurl(text: string): SampleRequest {
  const options = listOptions(splitShell(text.replace(/^\s*\$\s+/, "")).slice(1));
  const all = (...names: string[]): string[] =>
    options.filter(([name]) => names.includes(name)).map(([, value]) => value);
  const [url] = all("url");
  if (url === undefined)
    throw importError(
      "The curl line has no URL.",
      "Paste the whole line, such as: curl https://api.example.com/me -H 'Authorization: Bearer …'",
    );
  const headers = all("header").flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = /^([^:;]+):(.*)$/s.exec(line) ?? [];
    return name === "" ? [] : [[name.trim(), value.trim()]];
  });
  for (const token of all("oauth2-bearer")) headers.push(["Authorization", `Bearer ${token}`]);
  for (const cookie of all("cookie")) headers.push(["Cookie", cookie]);
  const body = all("data", "data-raw", "data-binary", "data-urlencode", "data-ascii", "json").join("&");
  const inUrl = all("get").length > 0;
  const query = [...all("url-query"), ...(inUrl && body !== "" ? [body] : [])].join("&");
  const sends = (body !== "" && !inUrl) || all("form", "form-string").length > 0;
  const [username, ...password] = all("user")[0]?.split(":") ?? [];
  const method = all("upload-file").length > 0 ? "PUT" : sends ? "POST" : "GET";
  const address = /^[a-z]+:\/\//i.test(url) ? url : `https://${url}`;
  return {
    method: (all("request").at(-1) ?? method).toUpperCase(),
    url: query === "" ? address : `${address}${url.includes("?") ? "&" : "?"}${query}`,
    headers,
    ...(username === undefined ? {} : { basic: { username, password: password.join(":") } }),
    isForm: sends && all("json").length === 0 && !/^\s*[[{]/.test(body),
    notes: listNotes((...names) => options.some(([name]) => names.includes(name))),
  };
}

/** Each option by its long name with its value; a word that is none is a URL. */
function listOptions(words: readonly string[]): [string, string][] {
  const found: [string, string][] = [];
  const waiting = words.values();
  const take = (): string => String(waiting.next().value ?? "");
  for (const word of waiting) {
    if (word.startsWith("--")) {
      const name = word.slice(2);
      found.push([name, longNames.has(name) ? take() : ""]);
    } else if (!word.startsWith("-") || word.length === 1) found.push(["url", word]);
    else {
      // `-sSL`, `-XPOST`, `-Gd a=b`: switches may stand before the option that takes a value.
      const letters = word.slice(1);
      const place = [...letters].findIndex((letter) => shortNames.has(letter));
      const switches = place === -1 ? letters : letters.slice(0, place);
      if (switches.includes("G")) found.push(["get", ""]);
      if (place !== -1)
        found.push([shortNames.get(letters.charAt(place)) ?? "", letters.slice(place + 1) || take()]);
    }
  }
  return found;
}

function listNotes(has: (...names: string[]) => boolean): string[] {
  const notes: string[] = [];
  if (has("cert", "key"))
    notes.push("A client certificate: put it into `api.network.cert` and `api.network.key`.");
  if (has("proxy")) notes.push("A proxy: put it into `api.network.proxy`.");
  if (has("aws-sigv4", "digest", "ntlm", "negotiate"))
    notes.push("Its way to authenticate signs each request, which a record can't express.");
  if (has("form", "form-string", "upload-file"))
    notes.push("It uploads a file or a multipart form, which the tool doesn't send.");
  return notes;
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
      throw importError(
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

/** Reads a pasted curl line into the request that it would send. */

import { importError } from "./imported.js";
import type { SampleRequest } from "./sample-request.js";
import { splitShell } from "./split-shell.js";

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
  const words = splitShell(text.replace(/^\s*\$\s+/, ""));
  const options = listOptions(words.slice(1));
  const all = (...names: string[]): string[] =>
    options.filter(([name]) => names.includes(name)).map(([, value]) => value);
  const url = all("url")[0];
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
  const body = [
    ...all("data", "data-raw", "data-binary", "data-urlencode", "data-ascii"),
    ...all("json"),
  ].join("&");
  const inUrl = options.some(([name]) => name === "get");
  const query = [...all("url-query"), ...(inUrl && body !== "" ? [body] : [])].join("&");
  const [user] = all("user");
  const sends = (body !== "" && !inUrl) || all("form", "form-string").length > 0;
  const colon = user?.indexOf(":") ?? -1;
  return {
    method: (
      all("request").at(-1) ?? (all("upload-file").length > 0 ? "PUT" : sends ? "POST" : "GET")
    ).toUpperCase(),
    url: `${/^[a-z]+:\/\//i.test(url) ? url : `https://${url}`}${query === "" ? "" : `${url.includes("?") ? "&" : "?"}${query}`}`,
    headers,
    ...(user === undefined
      ? {}
      : {
          basic:
            colon === -1
              ? { username: user, password: "" }
              : { username: user.slice(0, colon), password: user.slice(colon + 1) },
        }),
    ...(sends ? { body, isForm: all("json").length === 0 && !/^\s*[[{]/.test(body) } : {}),
    notes: listNotes(options),
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

function listNotes(options: readonly [string, string][]): string[] {
  const has = (...names: string[]): boolean => options.some(([name]) => names.includes(name));
  return [
    ...(has("cert", "key")
      ? ["A client certificate: put it into `api.network.cert` and `api.network.key`."]
      : []),
    ...(has("proxy") ? ["A proxy: put it into `api.network.proxy`."] : []),
    ...(has("aws-sigv4", "digest", "ntlm", "negotiate")
      ? ["Its way to authenticate signs each request, which a record can't express."]
      : []),
    ...(has("form", "form-string", "upload-file")
      ? ["It uploads a file or a multipart form, which the tool doesn't send."]
      : []),
  ];
}

/** From the servers of a document to the base URL of a record, and to what a person has to replace in it. */

import { clipText } from "../../core/base/text.js";
import { findPlaceholderNames } from "../../core/record/field-syntax.js";
import type { ApiDocument } from "../../features/openapi/api-document.js";
import {
  fillDefaults,
  listServers,
  readServers,
  type Server,
} from "../../features/openapi/servers.js";
import { countEach, type ImportChoice, noteServers } from "./imported.js";

export interface ChosenServer {
  /** `""` where the document has none, or only a part of one. */
  readonly baseUrl: string;
  /** The values of the variables in it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Takes the base URL that the user gives, else the document's first server with a host. */
export function chooseServer(document: ApiDocument, choice: ImportChoice): ChosenServer {
  const servers = listServers(document).map(dropSlash);
  if (choice.baseUrl !== undefined) {
    const same = servers.find(({ url }) => url === choice.baseUrl);
    return { baseUrl: choice.baseUrl, variables: same?.variables ?? {}, notes: [] };
  }
  const whole = servers.filter(hasHost);
  const most = findServerOfMost(document, whole);
  const server = most ?? whole[0];
  const urls = whole.map(({ url }) => url);
  if (server === undefined)
    return { baseUrl: "", variables: {}, notes: [noteMissing(servers[0]?.url ?? "")] };
  const open = /(?<!\$)\{([^{}]*)\}/.exec(fillDefaults(server));
  if (open !== null)
    return { baseUrl: "", variables: {}, notes: [noteWithoutValue(server, open[1] ?? "")] };
  const { url, notes } = secure(server);
  const { variables } = server;
  const chosen = most === undefined ? noteServers(urls, choice) : [noteServerOfMost(most)];
  const named = Object.entries(variables).filter(([name]) => canName(name));
  const others = Object.entries(variables).filter(([name]) => !canName(name));
  return {
    baseUrl: fillDefaults({ url, variables: Object.fromEntries(others) }),
    variables: Object.fromEntries(named),
    notes: [...chosen, ...notes, ...noteValues({ url, variables })],
  };
}

/** Whether a record can have a variable of the name: the value of another one is written into the base URL. */
function canName(name: string): boolean {
  return findPlaceholderNames(`{${name}}`).length > 0;
}

function hasHost({ url }: Server): boolean {
  return /^(?:https?:)?\/\/./i.test(url);
}

/** The server that most operations name as their own, where it is not at a host of the document's servers: calls of them would be refused. */
function findServerOfMost(document: ApiDocument, servers: readonly Server[]): Server | undefined {
  const own = document.operations.flatMap((route) => {
    const [first] = readServers(document.readServers(route) ?? []).filter(hasHost);
    return first === undefined ? [] : [dropSlash(first)];
  });
  const [most] = countEach(own.map(({ url }) => url));
  const [url, count] = most ?? ["", 0];
  const hosts = servers.map((server) => readHost(server.url));
  const isElsewhere = !hosts.includes(readHost(url));
  return count * 2 > document.operations.length && isElsewhere
    ? own.find((server) => server.url === url)
    : undefined;
}

function noteServerOfMost({ url }: Server): string {
  return `The base URL is ${clipText(url, 200)}, which most operations name as their own server. Another: --base-url.`;
}

function dropSlash({ url, variables }: Server): Server {
  return { url: url.replace(/\/+$/, ""), variables };
}

/** Names the flag that makes a relative server whole. */
function noteMissing(server: string): string {
  const isPath = server.startsWith("/");
  const path = isPath ? server : "";
  const given =
    server === ""
      ? "no server URL"
      : `no server with a scheme and a host, but ${clipText(server, 100)}`;
  const what = isPath ? `only the relative server ${clipText(server, 100)}` : given;
  return `The document has ${what}: give the base URL, such as --base-url https://HOST${clipText(path, 100)}`;
}

function noteWithoutValue({ url }: Server, name: string): string {
  return `The document's server ${clipText(url, 200)} has no value for {${clipText(name, 60)}}: give the base URL, such as --base-url https://HOST${clipText(readPath(url), 100)}`;
}

/** The path of a URL, as it is written. */
function readPath(url: string): string {
  return url.replace(/^(?:[a-z]+:)?\/\/[^/]*/i, "");
}

/** A host of this machine or its network: its name has no dot, or it is an address. */
const localHost = /^(?:[^.]+|[\d.]+|\[.*\]|.*\.(?:local|internal|localhost|test))$/i;

/** Takes https for a server on the internet: over http everyone on the way reads the credential. */
function secure(server: Server): { readonly url: string; readonly notes: readonly string[] } {
  const { url } = server;
  if (url.startsWith("//")) return { url: `https:${url}`, notes: [] };
  const hasPort = /^http:\/\/[^/]*:\d+(?:\/|$)/i.test(url);
  if (!/^http:/i.test(url) || hasPort || localHost.test(readHost(fillDefaults(server))))
    return { url, notes: [] };
  const secured = url.replace(/^http:/i, "https:");
  return {
    url: secured,
    notes: [
      `The document's server is ${clipText(url, 200)}, where nothing is encrypted: https takes its place. For http: --base-url ${clipText(url, 200)}`,
    ],
  };
}

function readHost(url: string): string {
  const [, host = ""] = /^(?:[a-z]+:)?\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(url) ?? [];
  return host;
}

/** Words of a host that stands for another one. */
const placeholderHost = new RegExp(
  [
    "^your[-_]?(?:sub|domain|host|site|tenant|org|company|instance|server|account|name|shop|store|api|app|project)",
    "(?:^|[.-])(?:your|unknown|placeholder|change-?me|sub-?domain|hostname)(?:[.-]|$)",
    "(?:^|\\.)example\\.(?:com|net|org)$",
  ].join("|"),
  "i",
);

/** Notes the values of variables, and a host that has to be replaced. */
function noteValues(server: Server): string[] {
  const values = Object.entries(server.variables).map(([name, value]) => `{${name}} is ${value}`);
  const host = readHost(fillDefaults(server));
  const isNoHost = readHost(server.url).includes("{") && !host.includes(".");
  if (placeholderHost.test(host) || (isNoHost && host !== "localhost"))
    return [
      `The document's host ${clipText(host, 100)} looks like a placeholder: if it is one, give your own, --base-url https://HOST${clipText(readPath(server.url), 100)}`,
    ];
  if (values.length === 0) return [];
  return [
    `The base URL has the document's own values: ${values.join(", ")}. Others: \`variables\` of the record, or --base-url.`,
  ];
}

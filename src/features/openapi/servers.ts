/** The servers of a document and of its operations, beside the base URL of a record: what the path of a call has more, or less, than the document's. */

import type { ApiSettings } from "../../core/record/api-source.js";
import { type ApiDocument, asList, asObject, asString } from "./api-document.js";

export interface Server {
  /** As the document has it, a variable for its scheme filled in. */
  readonly url: string;
  /** The defaults of the variables in it. */
  readonly variables: Readonly<Record<string, string>>;
}

export function listServers({ head }: ApiDocument): Server[] {
  return readServers(asList(head["servers"]));
}

export function readServers(given: readonly unknown[]): Server[] {
  const servers = given.slice(0, 100).map(asObject);
  return servers.flatMap((server) => {
    const given = asObject(server["variables"]);
    // A base URL begins with its scheme: a variable there is filled in.
    const url = asString(server["url"])?.replace(/^\{(\w+)\}(?=:\/\/)/, (_whole, name: string) =>
      String(asObject(given[name])["default"] ?? "https"),
    );
    const presets = Object.entries(given)
      .map(([name, variable]) => [name, asObject(variable)["default"]] as const)
      .filter(([name, preset]) => preset !== undefined && url?.includes(`{${name}}`))
      .map(([name, preset]) => [name, String(preset)]);
    return url === undefined ? [] : [{ url, variables: Object.fromEntries(presets) }];
  });
}

/** The URL with the defaults of its variables; one without a default remains. */
export function fillDefaults({ url, variables }: Server): string {
  return url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => variables[name] ?? whole);
}

/** How the document's paths become the paths of calls. */
export interface Placement {
  /** The beginning of a call's path that the document's does not have, such as `/v1`. */
  readonly added: string;
  /** The beginning of the document's paths that a call's does not have. */
  readonly dropped: string;
}

export function findPlacement(
  document: ApiDocument,
  { baseUrl, variables }: ApiSettings,
): Placement {
  const listed = listServers(document);
  // No server means `/` (OpenAPI 3.1.1, section 4.8.1).
  const given = listed.length === 0 ? [{ url: "/", variables: {} }] : listed;
  const servers = given.filter(({ url }) => !/^\.{1,2}\//.test(url)).map(readPlace);
  const base = readPlace({ url: baseUrl, variables });
  const own = servers.filter(({ host }) => isSameHost(host, base.host));
  const paths = own.map(({ path }) => path);
  const longer = paths.find((path) => path.startsWith(`${base.path}/`));
  const shorter = paths.find((path) => base.path.startsWith(`${path}/`));
  const dropped = shorter === undefined ? "" : base.path.slice(shorter.length);
  const isUsed = document.operations.some(({ path }) => path.startsWith(`${dropped}/`));
  if (paths.includes(base.path)) return { added: "", dropped: "" };
  if (longer !== undefined) return { added: longer.slice(base.path.length), dropped: "" };
  return { added: "", dropped: isUsed ? dropped : "" };
}

/**
 * The host without a port (a description is written for the default one), `""` for a server that is named by its path alone; and the path.
 * Variables of the path are filled in; one of the host may be anything, as one whose value only the environment knows.
 */
function readPlace({ url, variables }: Server) {
  const known = Object.entries(variables).filter(([, value]) => !value.includes("${"));
  const values = new Map(known);
  const [, host = "", path = ""] = /^(?:(?:[^/]*:)?\/\/([^/]*))?([^?#]*)/s.exec(url) ?? [];
  const filled = path.replace(
    /\{([^{}]{1,100})\}/g,
    (whole, name: string) => values.get(name)?.replace(/^\/|\/$/g, "") ?? whole,
  );
  const name = host.toLowerCase().replace(/:[^:\]]*$/, "");
  return { host: name, path: filled.replace(/\/+$/, "") };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;

function isSameHost(server: string, base: string): boolean {
  if (server === "" || server === base || (loopback.test(server) && loopback.test(base)))
    return true;
  const [first, second] = [server.split("."), base.split(".")];
  const isSame = (label: string, index: number): boolean =>
    label === second[index] || `${label}${second[index]}`.includes("{");
  return first.length === second.length && first.every(isSame);
}

/** A path of the document as a call has it; undefined for one that is not below the base URL. */
export function toCallPath(path: string, { added, dropped }: Placement): string | undefined {
  if (dropped !== "" && path !== dropped && !path.startsWith(`${dropped}/`)) return undefined;
  return added + (path.slice(dropped.length) || "/");
}

/** Where an operation with servers of its own is: below the base URL, or elsewhere. */
export type OwnPlace = { readonly path: string } | { readonly elsewhere: string };

/**
 * Finds where an operation is by its own servers, or by those of its path.
 *
 * @param path - Of the document.
 * @returns undefined where one of them is the document's server that the base URL is at, or any of these where it is at none: then the operation
 * is where all are.
 */
export type FindOwnPlace = (path: string, servers: readonly unknown[]) => OwnPlace | undefined;

/** An operation with more servers is called at the first ones; the document's and the record's parts are read once for all operations. */
const maxOwnServers = 20;

export function createFindOwnPlace(
  document: ApiDocument,
  { baseUrl, variables }: ApiSettings,
): FindOwnPlace {
  const listed = listServers(document);
  const shared = new Set(listed.map(writeServer));
  const base = { url: baseUrl, variables };
  const origin = readOrigin(base);
  const { path: basePath } = readPlace(base);
  const isNear = (server: Server): boolean => {
    const { path } = readPlace(server);
    const isPart = `${path}/`.startsWith(`${basePath}/`) || `${basePath}/`.startsWith(`${path}/`);
    return isPart && isAtOrigin(server, origin);
  };
  const isAtShared = listed.some(isNear);
  return (path, given) => {
    const servers = readServers(given.slice(0, maxOwnServers));
    const [first] = servers;
    const known = servers.filter((server) => shared.has(writeServer(server)));
    const isAtOne = known.length > 0 && (!isAtShared || known.some(isNear));
    if (first === undefined || isAtOne) return undefined;
    for (const server of servers.filter((each) => isAtOrigin(each, origin))) {
      const whole = readPlace(server).path + path;
      // A path with dot segments is another one once it is resolved.
      if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(whole)) continue;
      if (whole === basePath) return { path: "/" };
      if (whole.startsWith(`${basePath}/`)) return { path: whole.slice(basePath.length) };
    }
    return { elsewhere: fillDefaults(first) };
  };
}

/** The URL with its defaults: servers are the same by it. */
function writeServer(server: Server): string {
  return fillDefaults(server).replace(/\/$/, "");
}

/** Whether scheme, host and port are those of the base URL, as they are for a server that is named by its path alone. */
function isAtOrigin(server: Server, origin: string | undefined): boolean {
  if (/^\/(?!\/)/.test(server.url)) return true;
  return origin !== undefined && readOrigin(server) === origin;
}

/** The origin, variables filled in; undefined for a URL that has none. One that only the environment knows is no origin. */
function readOrigin(server: Server): string | undefined {
  const filled = fillDefaults(server);
  const [beginning = ""] = filled.split(/(?<=[^/:])\//, 1);
  const isOpen = /[{}]/.test(beginning);
  if (isOpen || !URL.canParse(filled)) return undefined;
  const { protocol, host } = new URL(filled);
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : undefined;
}

/** Where the paths of a description stand below a record's base URL: its servers may have a part of the path more, or less. */

import type { ApiSettings } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import { asList, asObject, asString } from "./parse-document.js";
import type { Route } from "./routes.js";

export interface Placement {
  /** What a call's path begins with and the document's doesn't, such as `/v1`. */
  readonly added: string;
  /** What the document's paths begin with and a call's doesn't. */
  readonly dropped: string;
  /** The document's servers, where none of them is the record's. */
  readonly otherServers: readonly Server[];
}

export interface Server {
  /** As the document has it. */
  readonly url: string;
  /** Without a port: a description is written for the default one. `""` for a server that is named by its path alone. */
  readonly host: string;
  readonly path: string;
}

/** The operations that stand below the base URL, by the paths of calls. */
export function placeRoutes({ operations }: ApiDocument, { added, dropped }: Placement): Route[] {
  return operations.flatMap(({ path: key, method, isDeprecated }): Route[] => {
    const path = /[?#]/.test(key) ? (key.split(/[?#]/, 1)[0] ?? "") : key;
    if (dropped === "") return [{ method, path: added + path, key, isDeprecated }];
    const isBelow = path === dropped || path.startsWith(`${dropped}/`);
    return isBelow ? [{ method, path: path.slice(dropped.length) || "/", key, isDeprecated }] : [];
  });
}

/** What a call's path may mean: itself, or what stands behind the path of a server that isn't the record's. */
export function listReadings({ otherServers }: Placement, path: string): string[] {
  const own = path.startsWith("/") ? path : `/${path}`;
  const prefixes = otherServers.map((server) => server.path).filter((prefix) => own.startsWith(`${prefix}/`));
  return [...new Set(["", ...prefixes])].map((prefix) => own.slice(prefix.length));
}

export function findPlacement(document: ApiDocument, { baseUrl, variables }: ApiSettings): Placement {
  const servers = listServers(document);
  const base = readServer(baseUrl, (name) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value?.includes("${") ? undefined : value;
  });
  const paths = servers.filter((server) => isSameHost(server.host, base.host)).map(({ path }) => path);
  const here: Placement = { added: "", dropped: "", otherServers: [] };
  if (paths.includes(base.path)) return here;
  const longer = paths.find((path) => path.startsWith(`${base.path}/`));
  if (longer !== undefined) return { ...here, added: longer.slice(base.path.length) };
  const shorter = paths.find((path) => base.path.startsWith(`${path}/`));
  const dropped = shorter === undefined ? "" : base.path.slice(shorter.length);
  const isUsed = dropped !== "" && document.operations.some(({ path }) => path.startsWith(`${dropped}/`));
  return isUsed ? { ...here, dropped } : { ...here, otherServers: servers };
}

export function listServers({ head, isSwagger2 }: ApiDocument): Server[] {
  if (isSwagger2) {
    const host = asString(head["host"]);
    const path = asString(head["basePath"]) ?? "";
    if (host === undefined && path === "") return [];
    return [readServer(`${host === undefined ? "" : `//${host}`}${path}`, () => undefined)];
  }
  return asList(head["servers"])
    .slice(0, 100)
    .flatMap((each) => {
      const server = asObject(each);
      const url = asString(server["url"]);
      const variables = asObject(server["variables"]);
      const readDefault = (name: string): string | undefined => {
        const preset = asObject(variables[name])["default"];
        return preset === undefined ? undefined : String(preset);
      };
      return url === undefined || /^\.{1,2}\//.test(url) ? [] : [readServer(url, readDefault)];
    });
}

/** Variables of the path are filled in; one of the host may be anything. */
function readServer(url: string, readVariable: (name: string) => string | undefined): Server {
  const [, host = "", path = ""] = /^(?:(?:[^/]*:)?\/\/([^/]*))?([^?#]*)/s.exec(url) ?? [];
  const filled = path.replace(
    /\{([^{}]{1,100})\}/g,
    (whole, name: string) => readVariable(name)?.replace(/^\/|\/$/g, "") ?? whole,
  );
  return { url, host: host.toLowerCase().replace(/:[^:\]]*$/, ""), path: filled.replace(/\/+$/, "") };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;

function isSameHost(server: string, base: string): boolean {
  if (server === "" || server === base || (loopback.test(server) && loopback.test(base))) return true;
  const [first, second] = [server.split("."), base.split(".")];
  const isSame = (label: string, index: number): boolean =>
    label === second[index] || `${label}${second[index]}`.includes("{");
  return first.length === second.length && (server + base).includes("{") && first.every(isSame);
}

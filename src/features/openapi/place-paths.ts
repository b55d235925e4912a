/** The paths of a description below a record's base URL: its servers may have a part of the path more, or less. */

import type { ApiSettings } from "../../core/record/api-source.js";
import type { ApiDocument, Route } from "./api-document.js";
import { asList, asObject, asString } from "./parse-document.js";

export interface Server {
  /** As the document has it, a variable for its scheme filled in. */
  readonly url: string;
  /** The defaults of the variables in it. */
  readonly variables: Readonly<Record<string, string>>;
}

interface ServerPlace {
  /** Without a port: a description is written for the default one. `""` for a server that is named by its path alone. */
  readonly host: string;
  readonly path: string;
}

export interface Placement {
  /** What a call's path begins with and the document's doesn't, such as `/v1`. */
  readonly added: string;
  /** What the document's paths begin with and a call's doesn't. */
  readonly dropped: string;
  /** The paths of the document's servers, where none of them is the record's. */
  readonly otherPaths: readonly string[];
}

export function listServers({ head }: ApiDocument): Server[] {
  if (head["swagger"] !== undefined) {
    const schemes = asList(head["schemes"]);
    const scheme = schemes.includes("http") && !schemes.includes("https") ? "http" : "https";
    const host = asString(head["host"]);
    const url = `${host === undefined ? "" : `${scheme}://${host}`}${asString(head["basePath"]) ?? ""}`;
    return url === "" ? [] : [{ url, variables: {} }];
  }
  const servers = asList(head["servers"]).slice(0, 100).map(asObject);
  return servers.flatMap((server) => {
    const given = asObject(server["variables"]);
    // A base URL begins with its scheme: a variable there is filled in, with https where that may be had.
    const url = asString(server["url"])?.replace(/^\{(\w+)\}(?=:\/\/)/, (_whole, name: string) => {
      const { enum: values, default: preset } = asObject(given[name]);
      return asList(values).includes("https") ? "https" : String(preset ?? "https");
    });
    const presets = Object.entries(given)
      .map(([name, variable]) => [name, asObject(variable)["default"]] as const)
      .filter(([name, preset]) => preset !== undefined && url?.includes(`{${name}}`))
      .map(([name, preset]) => [name, String(preset)]);
    return url === undefined ? [] : [{ url, variables: Object.fromEntries(presets) }];
  });
}

export function findPlacement(document: ApiDocument, { baseUrl, variables }: ApiSettings): Placement {
  const servers = listServers(document)
    .filter(({ url }) => !/^\.{1,2}\//.test(url))
    .map(readPlace);
  const base = readPlace({ url: baseUrl, variables });
  const paths = servers.filter(({ host }) => isSameHost(host, base.host)).map(({ path }) => path);
  const here: Placement = { added: "", dropped: "", otherPaths: [] };
  if (paths.includes(base.path)) return here;
  const longer = paths.find((path) => path.startsWith(`${base.path}/`));
  if (longer !== undefined) return { ...here, added: longer.slice(base.path.length) };
  const shorter = paths.find((path) => base.path.startsWith(`${path}/`));
  const dropped = shorter === undefined ? "" : base.path.slice(shorter.length);
  const isUsed = dropped !== "" && document.operations.some(({ path }) => path.startsWith(`${dropped}/`));
  return isUsed ? { ...here, dropped } : { ...here, otherPaths: servers.map(({ path }) => path) };
}

/** Variables of the path are filled in; one of the host may be anything, as one whose value only the environment knows. */
function readPlace({ url, variables }: Server): ServerPlace {
  const values = new Map(Object.entries(variables).filter(([, value]) => !value.includes("${")));
  const [, host = "", path = ""] = /^(?:(?:[^/]*:)?\/\/([^/]*))?([^?#]*)/s.exec(url) ?? [];
  const filled = path.replace(
    /\{([^{}]{1,100})\}/g,
    (whole, name: string) => values.get(name)?.replace(/^\/|\/$/g, "") ?? whole,
  );
  return { host: host.toLowerCase().replace(/:[^:\]]*$/, ""), path: filled.replace(/\/+$/, "") };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;

function isSameHost(server: string, base: string): boolean {
  if (server === "" || server === base || (loopback.test(server) && loopback.test(base))) return true;
  const [first, second] = [server.split("."), base.split(".")];
  const isSame = (label: string, index: number): boolean =>
    label === second[index] || `${label}${second[index]}`.includes("{");
  return first.length === second.length && first.every(isSame);
}

/** The operations below the base URL, by the paths of calls. */
export function placeRoutes({ operations }: ApiDocument, { added, dropped }: Placement): Route[] {
  return operations.flatMap((route): Route[] => {
    const path = route.key.split(/[?#]/, 1)[0] ?? "";
    if (dropped === "") return [{ ...route, path: added + path }];
    const isBelow = path === dropped || path.startsWith(`${dropped}/`);
    return isBelow ? [{ ...route, path: path.slice(dropped.length) || "/" }] : [];
  });
}

/** What a call's path may mean: itself, or what follows the path of a server that isn't the record's. */
export function listReadings({ otherPaths }: Placement, path: string): string[] {
  const own = path.startsWith("/") ? path : `/${path}`;
  const prefixes = otherPaths.filter((prefix) => own.startsWith(`${prefix}/`));
  return [...new Set(["", ...prefixes])].map((prefix) => own.slice(prefix.length));
}

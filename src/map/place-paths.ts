/** Where the paths of a description stand below a record's base URL: its servers may have a part of the path more, or less. */

import type { ApiSettings } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import { asList, asObject, asString, type Plain } from "./parse-document.js";
import type { Routes } from "./routes.js";

export interface Placement {
  /** What a call's path begins with and the document's doesn't, such as `/v1`. */
  readonly added: string;
  /** What the document's paths begin with and a call's doesn't. */
  readonly dropped: string;
  /** The document's servers, where none of them is the record's. */
  readonly otherServers?: readonly string[];
}

/** The path as a call has it; undefined for one that is not below the base URL. */
export function toCallPath({ added, dropped }: Placement, path: string): string | undefined {
  if (dropped === "") return added + path;
  if (path === dropped) return "/";
  return path.startsWith(`${dropped}/`) ? path.slice(dropped.length) : undefined;
}

/** The paths of the document that a call's may mean: with an unknown server's own path in front, too. */
export function toDocumentPaths({ added, dropped, otherServers }: Placement, path: string): string[] {
  const own = path.startsWith("/") ? path : `/${path}`;
  const whole = [dropped + own];
  if (added !== "")
    return own === added || own.startsWith(`${added}/`) ? [own.slice(added.length) || "/"] : [];
  for (const server of otherServers ?? []) {
    const prefix = readPath(server);
    if (prefix !== "" && own.startsWith(`${prefix}/`)) whole.push(own.slice(prefix.length));
  }
  return whole;
}

export function findPlacement(document: ApiDocument, routes: Routes, api: ApiSettings): Placement {
  const servers = listServers(document);
  const base = fillVariables(api.baseUrl, api.variables);
  const own = servers.find((server) => isSameHost(server, base));
  if (own === undefined)
    return { added: "", dropped: "", ...(servers.length > 0 ? { otherServers: servers } : {}) };
  const paths = servers.filter((server) => isSameHost(server, base)).map(readPath);
  const basePath = readPath(base);
  if (paths.includes(basePath)) return { added: "", dropped: "" };
  const longer = paths.find((path) => path.startsWith(`${basePath}/`));
  if (longer !== undefined) return { added: longer.slice(basePath.length), dropped: "" };
  const shorter = paths.find((path) => basePath.startsWith(`${path}/`));
  const dropped = shorter === undefined ? "" : basePath.slice(shorter.length);
  const isUsed = dropped !== "" && routes.all.some(({ template }) => template.startsWith(`${dropped}/`));
  return isUsed ? { added: "", dropped } : { added: "", dropped: "", otherServers: servers };
}

/** Absolute, or from the host on where the document has none. */
export function listServers({ head, isSwagger2 }: Pick<ApiDocument, "head" | "isSwagger2">): string[] {
  if (isSwagger2) {
    const host = asString(head["host"]);
    const path = (asString(head["basePath"]) ?? "").replace(/\/+$/, "");
    return host === undefined && path === "" ? [] : [`${host === undefined ? "" : `//${host}`}${path}`];
  }
  return asList(head["servers"])
    .slice(0, 100)
    .flatMap((each) => {
      const server = asObject(each);
      const url = asString(server["url"]);
      return url === undefined || /^\.{1,2}\//.test(url)
        ? []
        : [fillDefaults(url, asObject(server["variables"]))];
    });
}

/** A variable with one value is that value; one with several may be anything. */
function fillDefaults(url: string, variables: Plain): string {
  const filled = url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = asObject(Object.hasOwn(variables, name) ? variables[name] : undefined);
    const isInPath = url.indexOf(whole) > url.replace("//", "__").indexOf("/");
    const preset = variable["default"];
    return preset !== undefined && (isInPath || asList(variable["enum"]).length === 1)
      ? String(preset)
      : whole;
  });
  return filled.replace(/\/+$/, "");
}

function fillVariables(url: string, variables: Readonly<Record<string, string>>): string {
  return url
    .replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === undefined || value.includes("${") ? whole : value;
    })
    .replace(/\/+$/, "");
}

/** `//host/path` and `https://host/path`; what begins with a slash has no host. */
function splitServer(url: string): { readonly host: string; readonly path: string } {
  const [, host = "", path = ""] = /^(?:(?:[a-z]+:)?\/\/([^/]*))?(.*)$/is.exec(url) ?? [];
  return { host: host.toLowerCase(), path: path.split(/[?#]/, 1)[0] ?? "" };
}

function readPath(url: string): string {
  const { path } = splitServer(url);
  return path === "/" ? "" : path.replace(/\/+$/, "");
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;

/** Ports play no part: a description is written for the default one. A variable stands for anything. */
function isSameHost(server: string, base: string): boolean {
  const [one, other] = [server, base].map((url) => splitServer(url).host.replace(/:[^:\]]*$/, ""));
  if (one === undefined || other === undefined || one === "" || one === other) return true;
  if (loopback.test(one) && loopback.test(other)) return true;
  const [first, second] = [one.split("."), other.split(".")];
  const fits = (label: string, index: number): boolean =>
    label.includes("{") || second[index]?.includes("{") === true || label === second[index];
  return (one + other).includes("{") && first.length === second.length && first.every(fits);
}

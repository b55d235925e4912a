/** Settings of a record that have no effect beside its other settings: an author who wrote one believes that it holds. */

import type { z } from "zod";
import { foldHeaderName } from "../base/header-kinds.js";
import type { apiFields } from "./api-fields.js";
import { findPlaceholderNames } from "./field-syntax.js";
import { listStrings } from "./list-strings.js";
import { isNeverSent } from "./never-sent.js";
import { isPathAllowed } from "./path-rules.js";
import type { PlacedProblem } from "./problem.js";

/** The fields of `api`, once each is right by itself. */
export type Fields = z.output<typeof apiFields>;

export function findContradictions(api: Fields): PlacedProblem[] {
  return [
    ...findUnsentHeaders(api),
    ...findWrongType(api),
    ...findEndpoints(api),
    ...findUnusedVariables(api),
    ...findDeniedPatterns(api),
    ...findDoubleMeanings(api),
  ];
}

/** The header that carries the credential; undefined where it is a parameter, or there is none. */
export function findCredentialHeader({ authType, headerName }: Fields): string | undefined {
  if (authType === "bearer" || authType === "basic") return "Authorization";
  return authType === "header" ? headerName : undefined;
}

function findUnsentHeaders(api: Fields): PlacedProblem[] {
  const own = [findCredentialHeader(api) ?? "", ...Object.keys(api.headers)].map(foldHeaderName);
  return (api.allowedHeaders ?? []).flatMap((name, index) => {
    const path = ["allowedHeaders", index];
    if (own.includes(foldHeaderName(name)))
      return {
        path,
        message: "is a header that the record sends itself, so that no call can",
        fix: "Remove it here, or from `headers`.",
      };
    if (!isNeverSent(name)) return [];
    return {
      path,
      message: "is a header that no call can send",
      fix: "Remove it. A credential is sent by `authType`, a constant by `headers`.",
    };
  });
}

/** The type that each format is sent with. A multipart body has a boundary in its type, which a constant can't have. */
const typesOfFormats = {
  json: /^application\/json|[/+]json\b/i,
  form: /^application\/x-www-form-urlencoded/i,
  multipart: undefined,
};

function findWrongType({ bodyFormat, headers }: Fields): PlacedProblem[] {
  if (bodyFormat === undefined) return [];
  const types = Object.entries(headers).filter(
    ([name, value]) => foldHeaderName(name) === "content-type" && !value.includes("${"),
  );
  return types
    .filter(([, value]) => typesOfFormats[bodyFormat]?.test(value.trim()) !== true)
    .map(([name]) => ({
      path: ["headers", name],
      message: `contradicts \`bodyFormat\` "${bodyFormat}"`,
      fix: "Remove it: the body's format names its type. Or remove `bodyFormat`.",
    }));
}

function findEndpoints({ endpoints, methods }: Fields): PlacedProblem[] {
  return endpoints.flatMap(({ method }, index): PlacedProblem[] => {
    if (methods.includes(method)) return [];
    const message = "is a method that `methods` doesn't allow";
    const fix = "Add the method to `methods`, or leave out this example.";
    return [{ path: ["endpoints", index, "method"], message, fix }];
  });
}

/** Paths that a pattern matches: a name that no rule has stands for each star. */
function listSamples(pattern: string): string[] {
  return ["", "/~0~", "/~0~/~0~/~0~"].map((rest) =>
    pattern.replaceAll("/**", rest).replaceAll("*", "~0~"),
  );
}

/** A pattern of a record, and its place. */
type PlacedPattern = readonly [pattern: string, path: PlacedProblem["path"]];

/**
 * Patterns of `allow` and examples of which `paths.deny` refuses every path. `deny` and `methods` may narrow all else that a record says of its
 * paths and methods.
 */
function findDeniedPatterns({ paths, endpoints }: Fields): PlacedProblem[] {
  const { allow = [], deny } = paths;
  const patterns: readonly PlacedPattern[] = [
    ...allow.map((pattern, index): PlacedPattern => [pattern, ["paths", "allow", index]]),
    // `allow` is not judged here: a {name} may stand for a value that it has.
    ...endpoints.map(({ path }, index): PlacedPattern => {
      const [plain = ""] = path.split("?", 1);
      return [plain, ["endpoints", index, "path"]];
    }),
  ];
  return patterns
    .filter(([pattern]) => !listSamples(pattern).some((path) => isPathAllowed(path, { deny })))
    .map(([, path]) => ({
      path,
      message: "has no effect: `paths.deny` refuses every path of it",
      fix: "Remove it here, or the pattern in `paths.deny`.",
    }));
}

const rateLimitMembers = ["limit", "remaining", "reset", "retryAfter"] as const;

/** One word, or one header, that stands for two things. */
function findDoubleMeanings({ jobs, limits }: Fields): PlacedProblem[] {
  const done = new Set(jobs?.done);
  const states = (jobs?.failed ?? []).flatMap((state, index): PlacedProblem[] => {
    if (!done.has(state)) return [];
    const message = "is a state in `jobs.done`, too";
    return [{ path: ["jobs", "failed", index], message, fix: "Remove it from one of them." }];
  });
  const named = limits.rateLimitHeaders ?? {};
  const seen = new Set<string>();
  const headers = rateLimitMembers.flatMap((member): PlacedProblem[] => {
    const name = foldHeaderName(named[member] ?? "");
    const isNew = name === "" || !seen.has(name);
    seen.add(name);
    if (isNew) return [];
    const message = "names a header that stands for another number already";
    const fix = "Write the header that holds this number, or remove it.";
    return [{ path: ["limits", "rateLimitHeaders", member], message, fix }];
  });
  return [...states, ...headers];
}

function findUnusedVariables(api: Fields): PlacedProblem[] {
  const used = new Set(listStrings(api).flatMap(findPlaceholderNames));
  return Object.keys(api.variables)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ["variables", name],
      message: "is a variable that nothing in the record uses",
      fix: `Write {${name}} where its value belongs, such as in \`baseUrl\`, or remove it.`,
    }));
}

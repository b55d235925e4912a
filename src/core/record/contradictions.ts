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

function findEndpoints({ endpoints, methods, paths }: Fields): PlacedProblem[] {
  return endpoints.flatMap(({ method, path }, index): PlacedProblem[] => {
    if (!methods.includes(method))
      return [
        {
          path: ["endpoints", index, "method"],
          message: "is a method that `methods` doesn't allow",
          fix: "Add the method to `methods`, or leave out this example.",
        },
      ];
    // `allow` is not judged: a {name} may stand for a value that it has.
    const [plain = ""] = path.split("?", 1);
    if (isPathAllowed(plain, { deny: paths.deny })) return [];
    return [
      {
        path: ["endpoints", index, "path"],
        message: "is a path that `paths.deny` refuses",
        fix: "Leave out this example, or the pattern.",
      },
    ];
  });
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

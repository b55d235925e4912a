/** The credentials that operations require of the caller: the security schemes of the document, and the keys that it has only as parameters. */

import { hasSecretName } from "../../core/base/secret-name.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  type Plain,
} from "../../features/openapi/api-document.js";
import type { Operation, Parameter } from "../../features/openapi/operation.js";
import { countEach } from "./imported.js";

export interface RequiredCredentials {
  /** Each scheme by its name; a key that is only a parameter is a scheme by the name of the parameter. */
  readonly schemes: ReadonlyMap<string, Plain>;
  /** The names of the schemes that are asked for together, each way that an operation leaves open; of the document without one. */
  listWays(operation?: Operation): readonly (readonly string[])[];
}

/**
 * A key that is only a parameter counts where most operations require one of its name, in whatever place: others name something of their own so, such as
 * a `key` of a cache. In a document that describes no credential it counts where most operations have it, too.
 */
export function readRequiredCredentials(
  { head, follow }: ApiDocument,
  operations: readonly Operation[],
): RequiredCredentials {
  const declared = Object.entries(asObject(head["securitySchemes"])).map(
    ([name, scheme]) => [name, follow(scheme)] as const,
  );
  const carried = new Set(declared.map(([, scheme]) => nameCarrier(scheme)));
  const listKeys = ({ parameters }: Operation): readonly Parameter[] =>
    parameters.filter(
      (each) =>
        isKey(each) &&
        (each.isRequired || declared.length === 0) &&
        !carried.has(nameParameter(each)),
    );
  const keys = operations.flatMap(listKeys);
  const counts = new Map(countEach(keys.map(nameKey)));
  const added = keys
    .filter((each) => (counts.get(nameKey(each)) ?? 0) * 2 >= operations.length)
    .map((each) => [nameParameter(each), toScheme(each, follow)] as const);
  const schemes = new Map<string, Plain>([...declared, ...added]);
  const shared = asList(head["security"]);
  return {
    schemes,
    listWays(operation) {
      const ways = (operation?.security ?? shared).map((each) => Object.keys(asObject(each)));
      const names = operation === undefined ? [] : listKeys(operation).map(nameParameter);
      const own = names.filter((name) => schemes.has(name));
      if (own.length === 0) return ways;
      return (ways.length === 0 ? [[]] : ways).map((way) => [...way, ...own]);
    },
  };
}

/** Headers by the name of a key that are computed for each request, or that the package writes. */
const computed = /idempotency|sign|hmac|digest|csrf|xsrf|webhook/i;

function isKey({ name, place }: Parameter): boolean {
  if (place !== "header" && place !== "query") return false;
  return hasSecretName(name, place) && !computed.test(name);
}

function nameKey({ name }: Parameter): string {
  return name.toLowerCase();
}

function nameParameter({ name, place }: Parameter): string {
  return `${place} ${name.toLowerCase()}`;
}

/** Where a scheme is in a request, as `nameParameter` has it. */
function nameCarrier({ type, in: place, name }: Plain): string {
  if (type === "apiKey") return `${place} ${String(name).toLowerCase()}`;
  return "header authorization";
}

function toScheme({ name, place, description, schema }: Parameter, follow: ApiDocument["follow"]) {
  const { default: preset, example } = follow(schema);
  const words = [preset, example].map(asString).filter(Boolean);
  return {
    type: "apiKey",
    in: place,
    name,
    description: [description, ...words].filter(Boolean).join("\n"),
  };
}

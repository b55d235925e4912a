/** Makes one document of its files, in OpenAPI 3's form. */

import { isPlainObject } from "../../core/base/input.js";
import { httpMethods } from "../../core/record/api-source.js";
import {
  type ApiDocument,
  asList,
  asObject,
  asString,
  type LimitedDocument,
  maxParameters,
  type Plain,
  type RawOperation,
  type Route,
} from "./api-document.js";
import { applyDiscriminator } from "./discriminator.js";
import type { DocumentFiles } from "./document-files.js";
import { upgradeHead, upgradeOperation } from "./swagger.js";

/** No chain of references is longer. */
const maxReferences = 20;

/** The steps that one reader of the document may spend, and the parts that it was led to and did not get. */
interface Budget {
  /** Counts a step. @returns whether more are left */
  spend(): boolean;
  readonly missing: Set<string>;
}

export function createApiDocument(files: DocumentFiles): ApiDocument {
  const { top, unread } = files;
  const isSwagger = top["openapi"] === undefined && top["swagger"] !== undefined;
  const follow = createFollow(files, { spend: () => true, missing: new Set() });
  const head = isSwagger ? upgradeHead(top, follow) : readHead(top);
  const shared = { head, operations: listOperations(top, follow), unfollowed: unread };
  const open = (budget: Budget): LimitedDocument => {
    const own = createFollow(files, budget);
    return {
      ...shared,
      missing: budget.missing,
      follow: own,
      readServers(route) {
        const item = own(asObject(top["paths"])[route.key]);
        const reference = asString(asObject(item[route.method.toLowerCase()])["$ref"]);
        // Most operations in files of their own have no servers: then their files are not parsed yet.
        const isPlain = reference !== undefined && !files.mayContain(reference, "servers");
        return isPlain ? findServers([item]) : readRaw(top, route, own).servers;
      },
      readOperation(route) {
        const raw = readRaw(top, route, own);
        return isSwagger ? upgradeOperation(raw, top, own) : raw;
      },
      limitSteps(most) {
        let left = most;
        const spend = (): boolean => {
          left -= 1;
          return budget.spend() && left >= 0;
        };
        return open({ spend, missing: new Set() });
      },
    };
  };
  return open({ spend: () => true, missing: new Set() });
}

/** Gives the object itself, or the one that its `$ref` leads to. */
function createFollow(files: DocumentFiles, { spend, missing }: Budget): ApiDocument["follow"] {
  // An object is always read as the same one: a schema that contains itself is known by it.
  const read = new WeakMap<Plain, Plain>();
  const readOnce = (found: Plain, make: () => Plain): Plain => {
    const made = read.get(found) ?? make();
    read.set(found, made).set(made, made);
    return made;
  };
  const hasSiblings = /^3\.[1-9]/.test(String(files.top["openapi"]));
  /** Follows references alone: what is reached is as the document has it. */
  const reach = (value: unknown): Plain => {
    let found = asObject(value);
    for (let steps = 0; steps < maxReferences && spend(); steps += 1) {
      const reached = found;
      const reference = asString(reached["$ref"]);
      if (reference === undefined) return reached;
      if (hasSiblings && siblings.some((name) => Object.hasOwn(reached, name)))
        return readOnce(reached, () => joinReference(reached));
      const { value: next, unread } = files.read(reference);
      if (unread !== undefined && missing.size < maxMissing) missing.add(unread);
      found = next;
    }
    return {};
  };
  // The schema that is reached has the values of its discriminator, and what stands beside the reference to it.
  return (value) => {
    const given = asObject(value);
    const reached = reach(given);
    const isPlain = reached["discriminator"] === undefined;
    const named = isPlain ? reached : readOnce(reached, () => applyDiscriminator(reached, reach));
    const beside = findBeside(given, named, hasSiblings);
    return beside === undefined ? named : readOnce(given, () => ({ ...named, ...beside }));
  };
}

/** Members that say something of a schema, and ask for nothing. */
const annotations = ["readOnly", "writeOnly", "default"];

/** The members beside a reference that take the place of those of the schema: its annotations, and a type that may be null, too (OpenAPI 3.1). */
function findBeside(given: Plain, found: Plain, hasSiblings: boolean): Plain | undefined {
  if (given["$ref"] === undefined) return undefined;
  const { type } = found;
  const mayBeNull = asList(given["type"]).includes("null") && type !== undefined;
  const names = hasSiblings ? annotations.filter((name) => Object.hasOwn(given, name)) : [];
  const leadsNowhere = Object.keys(found).length === 0;
  if (leadsNowhere || (!mayBeNull && names.length === 0)) return undefined;
  const noted = Object.fromEntries(names.map((name) => [name, given[name]]));
  return mayBeNull ? { ...noted, type: [...new Set([type, "null"].flat())] } : noted;
}

/** The members that ask for something beside a reference (OpenAPI 3.1.1, section 4.8.24: JSON Schema 2020-12). */
const siblings = ["required", "properties", "enum", "const"];

/** A schema with both: it has to fit the one that is referred to, and what stands beside that. */
function joinReference({ $ref, ...own }: Plain): Plain {
  return { ...own, allOf: [{ $ref }, ...asList(own["allOf"])] };
}

/** More names of missing files say no more. */
const maxMissing = 5;

function readHead(top: Plain): Plain {
  return { ...top, securitySchemes: asObject(top["components"])["securitySchemes"] };
}

function listOperations(top: Plain, follow: ApiDocument["follow"]): Route[] {
  return Object.entries(asObject(top["paths"])).flatMap(([key, given]): Route[] => {
    const item = asObject(given)["$ref"] === undefined ? asObject(given) : follow(given);
    return httpMethods.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      const isDeprecated = asObject(operation)["deprecated"] === true;
      return isPlainObject(operation) && key.startsWith("/")
        ? [{ method, path: key, key, isDeprecated }]
        : [];
    });
  });
}

function readRaw(
  top: Plain,
  { key, method }: Pick<Route, "key" | "method">,
  follow: ApiDocument["follow"],
): RawOperation {
  const item = follow(asObject(top["paths"])[key]);
  const operation = follow(item[method.toLowerCase()]);
  const parameters = [item, operation].flatMap((each) =>
    asList(each["parameters"]).slice(0, maxParameters),
  );
  return { operation, parameters, servers: findServers([operation, item]) };
}

/** The first that has servers decides. */
function findServers(holders: readonly Plain[]): readonly unknown[] | undefined {
  const lists = holders.map((each) => asList(each["servers"]));
  return lists.find(({ length }) => length > 0);
}

/** The headers that the operations of a document require, and which of them a call may not set without the record. */

import { findHeaderKind } from "../../core/base/header-kinds.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import { isIgnoredHeader, mayCallSet } from "../../core/request/check-headers.js";
import { type ApiDocument, asList, asString } from "./api-document.js";
import type { Operation, Parameter } from "./operation.js";

export interface RequiredHeader {
  readonly name: string;
  /** Its default, its constant, or the only value that it may have; absent where operations differ. */
  readonly value: string | undefined;
  /** Absent for one that a call may set by itself. */
  readonly kind: string | undefined;
  /** Whether an operation requires it: a version that most take is written though none does. */
  readonly isRequired: boolean;
  /** How many operations name it. */
  readonly count: number;
}

/** Every header that an operation requires, and the version of the API that the document is written for; not the credential, nor what OpenAPI ignores. */
export function listRequiredHeaders(
  document: ApiDocument,
  operations: readonly Operation[],
): RequiredHeader[] {
  const found = new Map<string, RequiredHeader>();
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    const { name, place, isRequired } = parameter;
    if (place !== "header" || hasSecretName(name, "header")) continue;
    const isVersion = /(?:^|[-_])version$/i.test(name);
    if (!isRequired && !isVersion) continue;
    const own = readOnlyValue(document, parameter);
    // A version of the API is often required as a vendor's type in Accept.
    const isVendorType = /^accept$/i.test(name) && own !== undefined;
    if (isIgnoredHeader(name) && !isVendorType) continue;
    const key = name.toLowerCase();
    const { count = 0, value = own, isRequired: before = false } = found.get(key) ?? {};
    found.set(key, {
      name,
      value: value === own ? own : undefined,
      kind: findHeaderKind(name),
      isRequired: isRequired || before,
      count: count + 1,
    });
  }
  return [...found.values()];
}

/** The headers that operations have and that a call may set by itself, as long as the record has no `allowedHeaders`. */
export function listFreeHeaders(operations: readonly Operation[]): string[] {
  const names = operations
    .flatMap(({ parameters }) => parameters)
    .filter(({ place, name }) => place === "header" && mayCallSet(name, { headers: {} }, undefined))
    .map(({ name }) => name);
  return [...new Set(names)];
}

/** The value of a parameter that has a default, a constant, or one enumerated value. */
function readOnlyValue(document: ApiDocument, { schema }: Parameter): string | undefined {
  const { default: preset, const: constant, enum: values } = document.follow(schema);
  const [first, ...others] = asList(values);
  const value = preset ?? constant ?? (others.length === 0 ? first : undefined);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : asString(value);
}

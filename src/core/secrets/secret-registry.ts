/** The secrets of a toolkit, all of its sources': an API may echo another's. */

import { createRedactor, type Redactor } from "./redactor.js";
import type { Secret } from "./secret.js";

export interface SecretRegistry {
  /** Remembers secrets for good; one that is known already costs nothing. */
  add(secrets: readonly Secret[]): void;
  /** Remembers secrets that live for hours: beyond a thousand of them the oldest are forgotten. */
  addPassing(secrets: readonly Secret[]): void;
  /** Remembers what a function of the application gave, and what requests were signed with: the last ones of a source, which its API may still repeat. */
  addRecent(source: string, secrets: readonly Secret[]): void;
  listRecent(source: string): readonly Secret[];
  /** A redactor of all that is known by now, the recent ones of each source included: for what is looked at rarely. */
  whole(): Redactor;
  /** A redactor of everything that is known by now, but for the recent ones, which may change with each request. */
  redactor(): Redactor;
}

const maxPassing = 1_000;
const maxRecent = 20;

export function createSecretRegistry(): SecretRegistry {
  let lasting = createRedactor([]);
  let redactor = lasting;
  let passing = new Map<string, Secret>();
  const recent = new Map<string, readonly Secret[]>();
  return {
    add: (secrets) => {
      lasting = lasting.with(secrets);
      redactor = redactor.with(secrets);
    },
    addPassing: (secrets) => {
      for (const secret of secrets) passing.set(secret.reveal(), secret);
      if (passing.size <= maxPassing) redactor = redactor.with(secrets);
      else {
        // By half, so that this is not done again at the next one.
        passing = new Map([...passing].slice(-maxPassing / 2));
        redactor = lasting.with([...passing.values()]);
      }
    },
    addRecent: (source, secrets) => {
      const added = new Set(secrets.map((secret) => secret.reveal()));
      const others = (recent.get(source) ?? []).filter((secret) => !added.has(secret.reveal()));
      recent.set(source, [...others, ...secrets].slice(-maxRecent));
    },
    listRecent: (source) => recent.get(source) ?? [],
    whole: () => redactor.with([...recent.values()].flat()),
    redactor: () => redactor,
  };
}

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
  /** A redactor of everything that is known by now. */
  redactor(): Redactor;
}

const maxPassing = 1_000;
const maxRecent = 20;
/** A search for all recent ones of many sources takes milliseconds to make, and each search for new ones alone is another pass over a text. */
const maxAdded = 4;

export function createSecretRegistry(): SecretRegistry {
  let lasting = createRedactor([]);
  let redactor = lasting;
  let passing = new Map<string, Secret>();
  const recent = new Map<string, readonly Secret[]>();
  /** A redactor of the recent ones, too; made anew after some were added to it. */
  let whole: Redactor | undefined;
  let added = 0;

  function replaceRedactor(next: Redactor): void {
    if (next === redactor) return;
    redactor = next;
    whole = undefined;
  }

  return {
    add: (secrets) => {
      lasting = lasting.with(secrets);
      replaceRedactor(redactor.with(secrets));
    },
    addPassing: (secrets) => {
      for (const secret of secrets) passing.set(secret.reveal(), secret);
      if (passing.size > maxPassing) {
        // By half, so that this is not done again at the next one.
        passing = new Map([...passing].slice(-maxPassing / 2));
        replaceRedactor(lasting.with([...passing.values()]));
        return;
      }
      replaceRedactor(redactor.with(secrets));
    },
    addRecent: (source, secrets) => {
      const known = recent.get(source) ?? [];
      const given = new Set(secrets.map((secret) => secret.reveal()));
      const others = known.filter((secret) => !given.has(secret.reveal()));
      const isNew = known.length - others.length < given.size;
      recent.set(source, [...others, ...secrets].slice(-maxRecent));
      if (!isNew) return;
      added += 1;
      whole = added > maxAdded ? undefined : whole?.with(secrets);
    },
    redactor: () => {
      if (whole === undefined) {
        whole = redactor.with([...recent.values()].flat());
        added = 0;
      }
      return whole;
    },
  };
}

/** Makes a list of omissions small enough to read: the heaviest stand alone, the others are named together. */

import type { Finding } from "./describe-omissions.js";
import { figure } from "./describe-shape.js";
import { wholePath } from "./name-path.js";
import type { CountTokens, Omission } from "./summary.js";

/** Entries of their own; more are read by nobody. */
const maxAlone = 10;
/** The part of the tokens that entries of their own may take. */
const shareAlone = 0.7;

/** No entry takes fewer tokens. */
const fewestTokens = 8;

/** Fits the findings into a number of tokens. At least one entry remains when anything was left out. */
export function fitOmissions(
  findings: readonly Finding[],
  maxTokens: number,
  countTokens: CountTokens,
): Omission[] {
  const sorted = [...findings].sort((a, b) => b.weight - a.weight);
  const alone: Omission[] = [];
  const rest: Finding[] = [];
  let left = maxTokens;
  for (const finding of sorted) {
    if (finding.field !== undefined && (alone.length >= maxAlone || finding.weight === 0)) {
      rest.push(finding);
      continue;
    }
    const omission = finding.toOmission();
    const cost = countTokens(JSON.stringify(omission)) + 1;
    const fits = finding.weight > 0 && alone.length < maxAlone && cost <= left - maxTokens * (1 - shareAlone);
    if (!fits && finding.field === undefined && finding.weight > 1 && cost <= left) {
      alone.push(omission);
      left -= cost;
    } else if (fits) {
      alone.push(omission);
      left -= cost;
    } else rest.push(finding);
  }
  return [...alone, ...nameTogether(rest, left, countTokens, alone.length === 0)];
}

/** The fields of each record in one entry, as many names as fit, with the number of the others. */
function nameTogether(
  findings: readonly Finding[],
  maxTokens: number,
  countTokens: CountTokens,
  isAll: boolean,
): Omission[] {
  const groups = new Map<string, string[]>();
  const others: Finding[] = [];
  for (const finding of findings) {
    if (finding.field === undefined) others.push(finding);
    else {
      const { record, name } = finding.field;
      const names = groups.get(record) ?? [];
      groups.set(record, names);
      names.push(name);
    }
  }
  const entries: Omission[] = [];
  let left = maxTokens;
  let unnamed = 0;
  for (const [path, names] of groups) {
    const entry =
      left < fewestTokens
        ? undefined
        : listNames(path, names, Math.min(left, Math.max(left / 2, maxTokens / 4)), countTokens);
    if (entry === undefined) unnamed += names.length;
    else {
      entries.push(entry);
      left -= countTokens(JSON.stringify(entry)) + 1;
    }
  }
  for (const other of others) {
    const omission = other.toOmission();
    const cost = left < fewestTokens ? Number.POSITIVE_INFINITY : countTokens(JSON.stringify(omission)) + 1;
    if (cost <= left) {
      entries.push(omission);
      left -= cost;
    } else unnamed += 1;
  }
  if (unnamed === 0) return entries;
  const about = `${figure(unnamed)} more places left out in part or whole`;
  const last = { path: wholePath, about };
  const fits = countTokens(JSON.stringify(last)) <= left;
  return fits || (isAll && entries.length === 0) ? [...entries, last] : entries;
}

function listNames(
  path: string,
  names: readonly string[],
  maxTokens: number,
  countTokens: CountTokens,
): Omission | undefined {
  // No name takes less than a token.
  for (
    let shown = Math.min(names.length, Math.floor(maxTokens));
    shown > 0;
    shown = Math.floor(shown / 1.5)
  ) {
    const more = shown < names.length ? `, and ${figure(names.length - shown)} more` : "";
    const entry = { path, about: `fields left out: ${names.slice(0, shown).join(", ")}${more}` };
    if (countTokens(JSON.stringify(entry)) + 1 <= maxTokens) return entry;
  }
  return undefined;
}

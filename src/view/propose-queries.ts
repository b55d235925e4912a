/** Proposes queries that get what a view leaves out; each was run on the body before it is shown. */

import { isJsonContainer, type JsonValue } from "../json/exact-number.js";
import { isMostly } from "./classify-column.js";
import type { Column } from "./list-columns.js";
import { nameChain, nameField, nameKey, nameRows, nameWithin, quoteText, wholePath } from "./name-path.js";
import type { Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import { wholeTokens } from "./shape.js";
import type { RunSelect } from "./summary.js";
import type { Tally } from "./tally.js";

/** An array or map at one concrete place of the body. */
interface Table {
  readonly path: string;
  readonly plan: Plan;
  readonly length: number;
  readonly shown: number;
  readonly firstHidden?: string;
}

const mostProposals = 3;
const mostRuns = 5;
/** A filter reads every row: beyond this many a slice is proposed instead. */
const mostFiltered = 3_000;
const sliceLength = 20;
const mostValues = 8;
const longestValue = 32;
const deepest = 8;

export interface ProposeOptions {
  readonly document: JsonValue;
  readonly plan: Plan;
  readonly tallies: ReadonlyMap<Plan, Tally>;
  readonly runSelect: RunSelect;
  /** Whether the result of a query is small enough to be answered whole. */
  readonly fits: (result: JsonValue) => boolean;
}

/** Gives up to three expressions, the most useful first. */
export function proposeQueries(options: ProposeOptions): string[] {
  const accepted: string[] = [];
  let runs = 0;
  for (const expression of listCandidates(options)) {
    if (accepted.length >= mostProposals || runs >= mostRuns) break;
    if (accepted.includes(expression)) continue;
    runs += 1;
    const result = options.runSelect(expression);
    if (result !== undefined && saysSomething(result) && options.fits(result)) accepted.push(expression);
  }
  return accepted;
}

function saysSomething(value: JsonValue): boolean {
  if (value === null || value === "") return false;
  return !isJsonContainer(value) || (Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0);
}

function listCandidates({ document, plan, tallies }: ProposeOptions): string[] {
  if (typeof document === "string") {
    const shown = tallies.get(plan)?.clippedTo ?? 0;
    return [nameWithin(wholePath, `${shown}:${shown + 2000}`), "length(@)"];
  }
  const tables = listTables(plan, document, tallies).sort((a, b) => weigh(b) - weigh(a));
  const perTable = tables.slice(0, 3).map(listForTable);
  const first = perTable[0] ?? [];
  const others = perTable.slice(1).map((expressions) => expressions[0] ?? "");
  return [...first.slice(0, 2), ...others, ...first.slice(2), ...listFields(plan)].filter(
    (one) => one !== "",
  );
}

function weigh({ plan }: Table): number {
  return wholeTokens(plan.shape);
}

/** Arrays and maps that stand at one place each, from the outside in. */
function listTables(root: Plan, value: JsonValue, tallies: ReadonlyMap<Plan, Tally>): Table[] {
  const tables: Table[] = [];
  const visit = (plan: Plan, at: JsonValue, path: string, depth: number): void => {
    if (!isJsonContainer(at) || depth > deepest) return;
    const shown = tallies.get(plan)?.shown ?? 0;
    if (Array.isArray(at)) {
      tables.push({ path, plan, length: at.length, shown });
      return;
    }
    if (plan.shape.isMap) {
      const keys = Object.keys(at);
      const hidden = keys[shown];
      tables.push({
        path,
        plan,
        length: keys.length,
        shown,
        ...(hidden === undefined ? {} : { firstHidden: hidden }),
      });
      return;
    }
    for (const [key, field] of plan.fields ?? []) {
      if (Object.hasOwn(at, key)) visit(field, at[key] ?? null, nameField(path, key), depth + 1);
    }
  };
  visit(root, value, wholePath, 0);
  return tables;
}

function listForTable(table: Table): string[] {
  const { path, plan, length, shown } = table;
  if (plan.shape.isMap) return listForMap(table);
  const element = plan.shape.element;
  const last = `${shown}:${Math.min(length, shown + sliceLength)}`;
  if (element === undefined || element.objects === 0) {
    return shown < length ? [nameWithin(path, last), `length(${path})`] : [];
  }
  const { identity, facts, texts, rows, noise } = rankFields(element);
  const label = identity.length > 0 ? identity : facts.slice(0, 1);
  const candidates: string[] = [];
  const state = facts.find(tellsApart);
  if (state !== undefined && length <= mostFiltered) {
    candidates.push(`${nameWithin(path, `?${equals(state)}`)}.${pick(label)}`);
  }
  const hidden = [...texts, ...rows, ...facts, ...noise].filter((column) =>
    isHidden(plan.element, column),
  )[0];
  if (hidden !== undefined) {
    candidates.push(`${nameWithin(path, "0:3")}.${pick([...label.slice(0, 1), hidden])}`);
    candidates.push(`${nameWithin(path, "0")}.${nameChain(keysOf(hidden))}`);
  }
  if (shown < length) candidates.push(`${nameWithin(path, last)}.${pick([...label, ...facts.slice(0, 3)])}`);
  candidates.push(`length(${path})`);
  return candidates;
}

function listForMap({ path, firstHidden, plan, length, shown }: Table): string[] {
  const one = firstHidden === undefined ? [] : [nameField(path, firstHidden)];
  const facts = plan.shape.element === undefined ? [] : rankFields(plan.shape.element).facts;
  const column = facts[0];
  const values = nameRows(path, { isMap: true, holdsArrays: false });
  const list =
    column === undefined || length > mostFiltered
      ? []
      : [`${values}.${nameChain(keysOf(column))} | [${shown}:${shown + sliceLength}]`];
  return [...one, ...list];
}

/** Fields of the body's own that the view leaves out. */
function listFields(plan: Plan): string[] {
  const names = [...plan.shape.fields].filter(
    ([key, field]) => field.shape.seen > field.shape.empty && !plan.fields?.has(key),
  );
  return names.map(([key]) => nameKey(key));
}

function keysOf(column: Column): string[] {
  return column.chain.map(({ key }) => key);
}

function isHidden(plan: Plan | undefined, column: Column): boolean {
  let at: Plan | undefined = plan;
  for (const key of keysOf(column)) at = at?.fields?.get(key);
  return (
    at === undefined ||
    (column.kind === "rows"
      ? at.rows < column.shape.longest
      : !at.scalars || at.clip < column.shape.scalars.longest)
  );
}

/** Whether a column sorts the rows into a few kinds. */
function tellsApart(column: Column): boolean {
  const { distinct, count, strings, booleans } = column.shape.scalars;
  if (strings + booleans < count || count < 6 || distinct.size < 2 || distinct.size > mostValues)
    return false;
  return distinct.size * 2 <= count && [...distinct.keys()].every((value) => value.length <= longestValue);
}

/** A comparison with the value that the fewest rows have. */
function equals(column: Column): string {
  const { distinct } = column.shape.scalars;
  const [value] = [...distinct].reduce((rarest, entry) => (entry[1] < rarest[1] ? entry : rarest));
  const literal = isMostly(column.shape.scalars.booleans, column.shape.scalars)
    ? `\`${value}\``
    : quoteText(value);
  return `${nameChain(keysOf(column))}==${literal}`;
}

/** A multi-select of columns under their own last names; under both where two are the same. */
function pick(columns: readonly Column[]): string {
  const taken = new Map<string, string>();
  for (const column of columns) {
    const keys = keysOf(column);
    const own = keys.at(-1) ?? "";
    taken.set(taken.has(own) ? keys.slice(-2).join("_") : own, nameChain(keys));
  }
  return `{${[...taken].map(([name, chain]) => `${nameKey(name)}:${chain}`).join(",")}}`;
}

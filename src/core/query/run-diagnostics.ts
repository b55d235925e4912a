/** Observations of a run about names, kinds and case, and the notes about sure mistakes: a correct query has none. */

import type { JsonValue } from "../base/exact-number.js";
import type { NodeOf, SyntaxNode } from "./compile-expression.js";
import { describeRows } from "./describe-rows.js";
import { kindOf } from "./kinds.js";
import {
  describeNode,
  describeNoNumbers,
  describeNullKeys,
  type Query,
  readQuery,
} from "./query-notes.js";

const maxNotes = 5;
const maxPlaces = 20;
/** Nodes that are looked into: a query can have hundreds. */
const maxExamined = 20;
/** Longer strings are not compared without case. */
const longestCased = 200;

/** The evaluator reports to it where each name, comparison and list of the expression led. */
export class RunDiagnostics {
  readonly #visited = new Set<SyntaxNode>();
  readonly #unmatched = new Map<SyntaxNode, JsonValue[]>();
  #usesRootAsList = false;
  #nullKeys = 0;
  #noNumbers: { readonly first: string; readonly count: number } | undefined;

  /** @param rows - The member names that lead to the rows of the document; undefined where it has none, or is the list itself. */
  constructor(private readonly rows?: readonly string[]) {}

  /** A name was there, two values were comparable, rows were a list: at one place, which is enough. */
  visited(node: SyntaxNode): void {
    this.#visited.add(node);
  }

  /** @param places - What has no such name, or is not a list; of a comparison its two sides. */
  unmatched(node: SyntaxNode, ...places: readonly JsonValue[]): void {
    const known = this.#unmatched.get(node);
    if (known === undefined) this.#unmatched.set(node, [...places]);
    else if (node.type === "Field" && known.length < maxPlaces) known.push(...places);
  }

  /** Two sides that may be of two kinds; of a test for equality two strings that may differ only in case. */
  compared(node: NodeOf<"Comparator">, left: JsonValue, right: JsonValue): void {
    const isEquality = node.name === "EQ" || node.name === "NE";
    if (isEquality && typeof left === "string" && typeof right === "string" && left !== right) {
      const mayBeSame = left.length === right.length && left.length <= longestCased;
      if (mayBeSame && left.toLowerCase() === right.toLowerCase())
        this.unmatched(node, left, right);
    } else if (kindOf(left) === kindOf(right)) this.visited(node);
    else if (![left, right].some((side) => side === null || side === ""))
      this.unmatched(node, left, right);
  }

  /** The expression used the root, an object, as if it were the list of rows. */
  usedRootAsList(): void {
    this.#usesRootAsList = true;
  }

  /** Rows whose key is null were put under the text "null". */
  groupedByNull(count: number): void {
    this.#nullKeys = Math.max(this.#nullKeys, count);
  }

  /** A text that `to_number` gave null for. */
  noNumber(text: string): void {
    const { first = text, count = 0 } = this.#noNumbers ?? {};
    this.#noNumbers = { first, count: count + 1 };
  }

  /** Whole sentences, at most five. A name is missing when no record has it, not even one that the query passed over. */
  listNotes(tree: SyntaxNode, root: JsonValue): string[] {
    const unmatched = [...this.#unmatched]
      .filter(([node]) => !this.#visited.has(node))
      .slice(0, maxExamined);
    const query = readQuery(tree, root, unmatched);
    const notes = new Set(this.#listNotesOfAll(query));
    for (const [node, places] of unmatched) {
      if (notes.size >= maxNotes) break;
      const note = describeNode(node, places, query);
      if (note !== undefined) notes.add(note);
    }
    return [...notes].map((note) => note.charAt(0).toUpperCase() + note.slice(1));
  }

  /** The notes that are about no single part of the expression. */
  #listNotesOfAll({ root, addsUp }: Query): string[] {
    const notes = this.#usesRootAsList ? [describeRows(root, this.rows)] : [];
    if (this.#nullKeys > 0) notes.push(describeNullKeys(this.#nullKeys));
    if (this.#noNumbers !== undefined && addsUp) notes.push(describeNoNumbers(this.#noNumbers));
    return notes;
  }
}

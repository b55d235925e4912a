/** The memory of one thread in a store: a list of blocks of fragments, of which each process writes its own. */

import { randomUUID } from "node:crypto";
import type { CallContext } from "../runtime.js";
import type { FlowEntries } from "./flow.js";
import { FragmentIndex, type KnownFragment, type Place } from "./fragment-index.js";
import type { Shown } from "./shown-values.js";

/** Of confidential sources, and as many again of what the others answered. */
const maxFragments = 100_000;
/** So much of a block is written again with each answer. */
const maxBlockRows = 2_000;
/** How many threads are held beside the store. */
const maxThreads = 20;
/** Two processes may replace the list at the same moment: each looks whether its blocks are in it. */
const maxAttempts = 5;

/** What is known of a thread. */
export interface ThreadMemory {
  readonly index: FragmentIndex;
  /** Whether more was shown than is remembered, or some of it was lost. */
  readonly isFull: boolean;
  /** The confidential sources that something was shown of. */
  readonly sources: readonly string[];
}

type Row = readonly [anchor: number, length: number, hash: string, place: number];
type Block = { readonly places: Place[]; readonly rows: Row[] };
/** The entry that names the blocks, and how many rows each has. */
type Head = { readonly isFull: boolean; readonly sources: string[]; readonly blocks: Record<string, number> };

interface Thread {
  readonly index: FragmentIndex;
  /** How many rows of each block the index has. */
  readonly read: Map<string, number>;
  /** The blocks that this process writes, the last one unfinished. */
  readonly own: Map<string, Block>;
}

export class FlowMemory {
  readonly #entries: FlowEntries;
  readonly #threads = new Map<string, Thread>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(entries: FlowEntries) {
    this.#entries = entries;
  }

  /** What is known of a thread; undefined where nothing was shown in it. Rejects when the store does. */
  async load(name: string, context: CallContext): Promise<ThreadMemory | undefined> {
    const value = await this.#entries.get(name, context);
    const own = this.#threads.get(name)?.own;
    if (value === undefined && (own === undefined || own.size === 0)) return undefined;
    const head = joinOwn(readHead(value), own);
    const { index, read } = this.#open(name);
    let isLost = false;
    for (const [key, count] of Object.entries(head.blocks)) {
      const from = read.get(key) ?? 0;
      if (from >= count) continue;
      const block = readBlock(await this.#entries.get(`${name}-${key}`, context));
      isLost ||= block.rows.length < count;
      // Another call may have read it meanwhile.
      addRows(index, block, read.get(key) ?? 0);
      read.set(key, Math.max(read.get(key) ?? 0, block.rows.length));
    }
    return { index, isFull: head.isFull || isLost, sources: head.sources };
  }

  /** Remembers what was shown. Rejects when the store does. */
  async add(
    name: string,
    source: Pick<Place, "source" | "isConfidential">,
    shown: Shown,
    context: CallContext,
  ): Promise<void> {
    const before = this.#turns.get(name) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#addInTurn(name, source, shown, context));
    this.#turns.set(name, turn);
    try {
      await turn;
    } finally {
      if (this.#turns.get(name) === turn) this.#turns.delete(name);
    }
  }

  async #addInTurn(
    name: string,
    { source, isConfidential }: Pick<Place, "source" | "isConfidential">,
    { fragments, isWhole }: Shown,
    context: CallContext,
  ): Promise<void> {
    const known = await this.load(name, context);
    const thread = this.#open(name);
    const { counts } = thread.index;
    const left = maxFragments - (isConfidential ? counts.confidential : counts.known);
    const news = [...new Map(fragments.map((each) => [each.hash, each])).values()].filter(
      ({ hash }) => !thread.index.has(hash, source),
    );
    const isFull = known?.isFull === true || (isConfidential && (!isWhole || news.length > left));
    const isKnown = known !== undefined && (!isConfidential || known.sources.includes(source));
    if (news.length === 0 && isKnown && isFull === known.isFull) return;
    for (let at = 0; at < Math.min(news.length, left); at += maxBlockRows) {
      const part = news.slice(at, Math.min(at + maxBlockRows, left));
      const [key, block] = openBlock(thread);
      for (const { field, kind, anchor, length, hash } of part)
        block.rows.push([
          anchor,
          length,
          hash,
          findPlace(block.places, { source, field, kind, isConfidential }),
        ]);
      await this.#entries.put(`${name}-${key}`, { text: JSON.stringify(block) }, context);
      addRows(thread.index, block, thread.read.get(key) ?? 0);
      thread.read.set(key, block.rows.length);
    }
    await this.#writeHead(
      name,
      { isFull, sources: isConfidential ? [source] : [], blocks: {} },
      thread,
      context,
    );
  }

  /** Adds to the list what it lacks, until it is there. */
  async #writeHead(name: string, added: Head, { own }: Thread, context: CallContext): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const found = readHead(await this.#entries.get(name, context));
      const wanted = joinOwn(joinHeads(found, added), own);
      if (attempt > 0 && JSON.stringify(wanted) === JSON.stringify(found)) return;
      await this.#entries.put(name, { text: JSON.stringify(wanted) }, context);
    }
    throw new Error("Other processes keep replacing what is remembered of this thread.");
  }

  #open(name: string): Thread {
    const known = this.#threads.get(name);
    const thread = known ?? { index: new FragmentIndex(name), read: new Map(), own: new Map() };
    // The one used last goes to the end.
    this.#threads.delete(name);
    this.#threads.set(name, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > maxThreads && oldest !== undefined) this.#threads.delete(oldest);
    return thread;
  }
}

function openBlock({ own }: Thread): [key: string, block: Block] {
  const last = [...own].at(-1);
  if (last !== undefined && last[1].rows.length < maxBlockRows) return last;
  const opened: [string, Block] = [randomUUID(), { places: [], rows: [] }];
  own.set(...opened);
  return opened;
}

function findPlace(places: Place[], place: Place): number {
  const text = JSON.stringify(place);
  const at = places.findIndex((each) => JSON.stringify(each) === text);
  return at === -1 ? places.push(place) - 1 : at;
}

function addRows(index: FragmentIndex, { places, rows }: Block, from: number): void {
  for (const [anchor, length, hash, at] of rows.slice(from)) {
    const place = places[at];
    const fragment: KnownFragment | undefined = place && { anchor, length, hash, place };
    if (fragment !== undefined) index.add(fragment);
  }
}

function joinHeads(one: Head, other: Head): Head {
  const sources = [...new Set([...one.sources, ...other.sources])];
  return { isFull: one.isFull || other.isFull, sources, blocks: { ...one.blocks, ...other.blocks } };
}

function joinOwn(head: Head, own: ReadonlyMap<string, Block> = new Map()): Head {
  const blocks = Object.fromEntries([...own].map(([key, { rows }]) => [key, rows.length]));
  return joinHeads(head, { isFull: false, sources: [], blocks });
}

/** A store is outside: what can't be read counts as lost. */
function readHead(value: Readonly<Record<string, unknown>> | undefined): Head {
  if (value === undefined) return { isFull: false, sources: [], blocks: {} };
  try {
    const { isFull, sources, blocks }: Head = JSON.parse(String(value["text"]));
    return { isFull, sources: [...sources], blocks: { ...blocks } };
  } catch {
    return { isFull: true, sources: [], blocks: {} };
  }
}

function readBlock(value: Readonly<Record<string, unknown>> | undefined): Block {
  try {
    const { places, rows }: Block = JSON.parse(String(value?.["text"]));
    return Array.isArray(places) && Array.isArray(rows) ? { places, rows } : { places: [], rows: [] };
  } catch {
    return { places: [], rows: [] };
  }
}

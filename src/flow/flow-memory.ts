/** The memory of one thread in a store: blocks of fragments and a head that lists them, of which each process writes its own. */

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
/** The entry of one writer that names its blocks, and how many rows each has. */
type Head = { readonly isFull: boolean; readonly sources: string[]; readonly blocks: Record<string, number> };

interface Thread {
  readonly index: FragmentIndex;
  /** How many rows of each block the index has. */
  readonly read: Map<string, number>;
  /** The blocks that this process writes, the last one unfinished. */
  readonly own: Map<string, Block>;
  /** Names the head of this process. */
  readonly writer: string;
  /** Whether no other process can remove it from the list. */
  isListed: boolean;
  head: Omit<Head, "blocks">;
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
    const listed = await this.#entries.getWriters(name, context);
    const own = this.#threads.get(name)?.own.size ?? 0;
    if (listed === undefined && own === 0) return undefined;
    const { writers = [], isLost: isWriterLost = false } = { ...listed };
    const thread = this.#open(name);
    const { index, read } = thread;
    thread.isListed &&= writers.includes(thread.writer);
    const others = writers.filter((writer) => writer !== thread.writer);
    const heads = await Promise.all(
      others.map(async (writer) => readHead(await this.#entries.get(nameHead(name, writer), context))),
    );
    const head = [...heads, ...(isWriterLost ? [lostHead] : [])].reduce(joinHeads, readOwn(thread));
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
    const { head } = thread;
    thread.head = joinHeads(
      { ...head, blocks: {} },
      { isFull, sources: isConfidential ? [source] : [], blocks: {} },
    );
    await this.#entries.put(
      nameHead(name, thread.writer),
      { text: JSON.stringify(readOwn(thread)) },
      context,
    );
    if (thread.isListed) return;
    await this.#entries.addWriter(name, { writer: thread.writer, isSure: isConfidential }, context);
    thread.isListed = isConfidential;
  }

  #open(name: string): Thread {
    const known = this.#threads.get(name);
    const thread = known ?? openThread(name);
    // The one used last goes to the end.
    this.#threads.delete(name);
    this.#threads.set(name, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > maxThreads && oldest !== undefined) this.#threads.delete(oldest);
    return thread;
  }
}

function openThread(name: string): Thread {
  return {
    index: new FragmentIndex(name),
    read: new Map(),
    own: new Map(),
    writer: randomUUID().replaceAll("-", ""),
    isListed: false,
    head: { isFull: false, sources: [] },
  };
}

function nameHead(name: string, writer: string): string {
  return `${name}w${writer}`;
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

function readOwn({ head, own }: Thread): Head {
  return { ...head, blocks: Object.fromEntries([...own].map(([key, { rows }]) => [key, rows.length])) };
}

/** Of a source that is not known any more something was shown. */
const lostHead: Head = { isFull: true, sources: ["*"], blocks: {} };

/** A store is outside: what can't be read counts as lost. */
function readHead(value: Readonly<Record<string, unknown>> | undefined): Head {
  try {
    const { isFull, sources, blocks }: Head = JSON.parse(String(value?.["text"]));
    return { isFull, sources: [...sources], blocks: { ...blocks } };
  } catch {
    return lostHead;
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

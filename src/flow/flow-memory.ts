/** The memory of one thread in a store: blocks of fragments and a head that lists them, of which each process writes its own. */

import { randomUUID } from "node:crypto";
import type { CallContext } from "../runtime.js";
import type { FlowEntries } from "./flow.js";
import { FragmentIndex, type Place } from "./fragment-index.js";
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
type Head = Omit<ThreadMemory, "index"> & { readonly blocks: Readonly<Record<string, number>> };

/** Of a source that is not known any more something was shown. */
const lostHead: Head = { isFull: true, sources: ["*"], blocks: {} };
const emptyHead: Head = { isFull: false, sources: [], blocks: {} };

/** What is known of a thread where the store fails. */
export const unknownThread: ThreadMemory = { ...lostHead, index: new FragmentIndex("") };

interface Thread {
  readonly index: FragmentIndex;
  /** How many rows of each block the index has. */
  readonly read: Map<string, number>;
  /** Names the head of this process. */
  readonly writer: string;
  /** As this process wrote it. */
  head: Head;
  /** The last block of this process, and its name. */
  last: readonly [key: string, block: Block] | undefined;
  /** Whether no other process can remove it from the list. */
  isListed: boolean;
}

export class FlowMemory {
  readonly #entries: FlowEntries;
  readonly #threads = new Map<string, Thread>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(entries: FlowEntries) {
    this.#entries = entries;
  }

  /** What is known of a thread. Rejects when the store does. */
  async load(name: string, context: CallContext): Promise<ThreadMemory> {
    const listed = await this.#entries.getWriters(name, context);
    if (listed === undefined && !this.#threads.has(name))
      return { ...emptyHead, index: new FragmentIndex(name) };
    const { writers = [], isLost: isWriterLost = false } = { ...listed };
    const thread = this.#open(name);
    const { index, read } = thread;
    thread.isListed &&= writers.includes(thread.writer);
    const others = writers.filter((writer) => writer !== thread.writer);
    const heads = await Promise.all(
      others.map(async (writer) => readHead(await this.#entries.get(nameHead(name, writer), context))),
    );
    const head = [...heads, ...(isWriterLost ? [lostHead] : [])].reduce(joinHeads, thread.head);
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
    const { index, read, writer } = thread;
    const left = maxFragments - index.counts[isConfidential ? "confidential" : "known"];
    const news = [...new Map(fragments.map((each) => [each.hash, each])).values()].filter(
      ({ hash }) => !index.has(hash, source),
    );
    const isFull = known.isFull || (isConfidential && (!isWhole || news.length > left));
    const isKnown = !isConfidential || known.sources.includes(source);
    if (news.length === 0 && isKnown && isFull === known.isFull) return;
    for (let at = 0; at < Math.min(news.length, left); at += maxBlockRows) {
      const part = news.slice(at, Math.min(at + maxBlockRows, left));
      const [key, block] = openBlock(thread);
      for (const { field, kind, anchor, length, hash } of part) {
        const place = findPlace(block.places, { source, field, kind, isConfidential });
        block.rows.push([anchor, length, hash, place]);
      }
      const { length } = block.rows;
      thread.head = joinHeads(thread.head, { ...emptyHead, blocks: { [key]: length } });
      await this.#entries.put(`${name}-${key}`, { text: JSON.stringify(block) }, context);
      addRows(index, block, read.get(key) ?? 0);
      read.set(key, length);
    }
    const sources = isConfidential ? [source] : [];
    thread.head = joinHeads(thread.head, { isFull, sources, blocks: {} });
    await this.#entries.put(nameHead(name, writer), { text: JSON.stringify(thread.head) }, context);
    if (thread.isListed) return;
    await this.#entries.addWriter(name, { writer, isSure: isConfidential }, context);
    thread.isListed = isConfidential;
  }

  #open(name: string): Thread {
    const thread: Thread = this.#threads.get(name) ?? {
      index: new FragmentIndex(name),
      read: new Map(),
      writer: randomUUID().replaceAll("-", ""),
      head: emptyHead,
      last: undefined,
      isListed: false,
    };
    // The one used last goes to the end.
    this.#threads.delete(name);
    this.#threads.set(name, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > maxThreads && oldest !== undefined) this.#threads.delete(oldest);
    return thread;
  }
}

function nameHead(name: string, writer: string): string {
  return `${name}w${writer}`;
}

function openBlock(thread: Thread): readonly [key: string, block: Block] {
  const { last } = thread;
  if (last !== undefined && last[1].rows.length < maxBlockRows) return last;
  thread.last = [randomUUID(), { places: [], rows: [] }];
  return thread.last;
}

function findPlace(places: Place[], place: Place): number {
  const text = JSON.stringify(place);
  const at = places.findIndex((each) => JSON.stringify(each) === text);
  return at === -1 ? places.push(place) - 1 : at;
}

function addRows(index: FragmentIndex, { places, rows }: Block, from: number): void {
  for (const [anchor, length, hash, at] of rows.slice(from)) {
    const place = places[at];
    if (place !== undefined) index.add({ anchor, length, hash, place });
  }
}

function joinHeads(one: Head, other: Head): Head {
  const sources = [...new Set([...one.sources, ...other.sources])];
  return { isFull: one.isFull || other.isFull, sources, blocks: { ...one.blocks, ...other.blocks } };
}

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

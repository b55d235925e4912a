/** Kept responses of one toolkit: which store, whose they are, and under which id they are found again. */

import { type CallContext, checkVisible, findThread, type Host } from "../base/runtime.js";
import { hashText } from "../base/text.js";
import { isCancelled, within } from "../http/deadline.js";
import {
  type KeepInput,
  type KeptEntry,
  type KeptFileContent,
  type KeptResponse,
  keepResponse,
  loadEntry,
  loadKept,
  toFile,
  toNoteKey,
} from "./keep-response.js";
import {
  createMemoryStore,
  findGivenStore,
  type NamespacedStore,
  type ResponseStore,
  type StoreOptions,
} from "./response-store.js";

/** The id of a kept response, or why it was not kept: a sentence for the answer's `notes`. */
export interface Kept {
  readonly id?: string;
  readonly why?: string;
}

/** The application's own reads mark no thread. */
type Reader = "thread" | "application";

export interface KeptResponses {
  /** Names the owner of a call as one text; undefined where the application names no owner. */
  scopeOf(context: CallContext): string | undefined;
  /** Notes a text under a name of this thread, in place of the earlier one; undefined removes it. Rejects when the store does. */
  note(name: string, noted: Note | undefined, context: CallContext): Promise<void>;
  /** Gives a note of the last thirty days; marks the thread as `load` does, and rejects as `load` does, and when the store does. */
  recall(name: string, context: CallContext): Promise<Note | undefined>;
  /**
   * Keeps a response, and its file, for an hour. Rejects only when the call is cancelled: that a store is down must not cost the answer.
   */
  keep(response: Omit<KeepInput, "expiresAt">, context: CallContext): Promise<Kept>;
  /**
   * Undefined for an id that is unknown, expired, or another scope's: a caller cannot distinguish these. The thread of the call is marked with what
   * the response is marked with. Rejects when the call is over, and when the thread cannot be marked.
   *
   * @param reader - @default "thread"
   */
  load(id: string, context: CallContext, reader?: Reader): Promise<KeptResponse | undefined>;
  /** The file of a kept response; undefined as for `load`, and where the response is not a file. */
  loadFile(id: string, context: CallContext, reader?: Reader): Promise<KeptFileContent | undefined>;
}

/** A text, and the slugs of the sources that it may have content of. */
export interface Note {
  readonly text: string;
  readonly madeOf: readonly string[];
}

interface KeptResponsesOptions
  extends StoreOptions,
    Pick<Host, "clock" | "logger" | "describeError" | "visibility"> {
  /** The scope when a call belongs to no thread. */
  readonly defaultScope: string;
  /** The marks of a thread: what a response of this source in it may have content of. Rejects when they are not known: then nothing is kept. */
  readonly listMarks: (source: string, context: CallContext) => Promise<readonly string[]>;
  /** Marks a thread. Rejects when that fails: then nothing is given. */
  readonly addMarks: (marks: readonly string[], context: CallContext) => Promise<void>;
}

/** Toolkits of one process share it, so that one reader serves all; namespaces separate what it keeps. Files are kept in base64. */
const processStore: ResponseStore = createMemoryStore({ maxBytes: 250_000_000 });

/** One hour: longer than a conversation's next few turns, shorter than anyone expects data to lie around. */
const timeToLiveMs = 3_600_000;

/** Clients of a database that is gone may wait for it for ever. A call succeeds without keeping its response, not without reading one: it waits less. */
const keepTimeoutMs = 5_000;
/** Also of a file that is kept: 25 MB take a database some seconds. */
const loadTimeoutMs = 20_000;

/** A run may go on days after it stopped. */
const noteTtlMs = 30 * 24 * timeToLiveMs;

const noScope =
  "The whole body was not kept: the application's responseScope returned no owner for it.";
const noStore = "The whole body was not kept: the response store could not save it.";

export function createKeptResponses(options: KeptResponsesOptions): KeptResponses {
  return new StoredResponses(options);
}

class StoredResponses implements KeptResponses {
  readonly #options: KeptResponsesOptions;
  readonly #expiring: ExpiringEntries;

  constructor(options: KeptResponsesOptions) {
    this.#options = options;
    this.#expiring = new ExpiringEntries(options);
  }

  scopeOf(context: CallContext): string | undefined {
    const scope = findScope(this.#options, context);
    return scope && JSON.stringify(scope);
  }

  async note(name: string, noted: Note | undefined, context: CallContext): Promise<void> {
    const namespaced = this.#findNamespace(context);
    if (namespaced === undefined) throw new Error(noScope);
    const key = toNoteKey(name);
    await within(loadTimeoutMs, context, async () => {
      if (noted === undefined) await namespaced.store.delete(namespaced.namespace, key);
      else await this.#writeNote(namespaced, key, noted, context);
    });
  }

  async recall(name: string, context: CallContext): Promise<Note | undefined> {
    const { clock } = this.#options;
    const namespaced = this.#findNamespace(context);
    const find = async () => namespaced && loadEntry(namespaced, toNoteKey(name), clock.now());
    const found = await within(loadTimeoutMs, context, find);
    if (found === undefined) return undefined;
    await this.#give(found.response, context);
    const { text, madeOf = [] } = found.response;
    return { text, madeOf };
  }

  async keep(response: Omit<KeepInput, "expiresAt">, context: CallContext): Promise<Kept> {
    const { logger, describeError } = this.#options;
    const { source, file } = response;
    try {
      const namespaced = this.#findNamespace(context);
      if (namespaced === undefined) {
        logger.warn(noScope, { source });
        return { why: noScope };
      }
      const timeoutMs = file === undefined ? keepTimeoutMs : loadTimeoutMs;
      return await within(timeoutMs, context, () => this.#write(namespaced, response, context));
    } catch (error) {
      if (isCancelled(context.signal)) throw error;
      logger.warn("A response could not be kept.", { source, error: describeError(error) });
      return { why: noStore };
    }
  }

  async load(id: string, context: CallContext, reader?: Reader): Promise<KeptResponse | undefined> {
    return (await this.#load(id, context, reader))?.response;
  }

  async loadFile(
    id: string,
    context: CallContext,
    reader?: Reader,
  ): Promise<KeptFileContent | undefined> {
    const found = await this.#load(id, context, reader);
    return found && toFile(found);
  }

  async #writeNote(
    namespaced: NamespacedStore,
    key: string,
    { text, madeOf }: Note,
    context: CallContext,
  ): Promise<void> {
    const nowMs = this.#options.clock.now();
    const marks = await this.#findMarks("", context);
    const facts = { kind: "text", status: 0, source: "", request: "" } as const;
    const note = { ...facts, text, madeOf: [...madeOf], marks, expiresAt: nowMs + noteTtlMs };
    await keepResponse(namespaced, note, nowMs, key);
  }

  async #write(
    namespaced: NamespacedStore,
    response: Omit<KeepInput, "expiresAt">,
    context: CallContext,
  ): Promise<Kept> {
    const nowMs = this.#options.clock.now();
    const expiresAt = nowMs + timeToLiveMs;
    const marks = await this.#findMarks(response.source, context);
    const [id] = await Promise.all([
      keepResponse(namespaced, { ...response, marks, expiresAt }, nowMs),
      this.#expiring.deleteOver(),
    ]);
    // The store of this process ends its entries by itself.
    if (namespaced.store !== processStore) this.#expiring.add({ expiresAt, namespaced, id });
    return { id };
  }

  async #load(
    id: string,
    context: CallContext,
    reader: Reader = "thread",
  ): Promise<KeptEntry | undefined> {
    const { clock, logger, describeError } = this.#options;
    const find = async (): Promise<KeptEntry | undefined> => {
      await this.#expiring.deleteOver();
      const namespaced = this.#findNamespace(context);
      return namespaced && loadKept(namespaced, id, clock.now());
    };
    const found = await within(loadTimeoutMs, context, find).catch((error: unknown) => {
      context.signal?.throwIfAborted();
      logger.warn("The response store could not be read.", { error: describeError(error) });
      return undefined;
    });
    if (reader === "thread" && found !== undefined) await this.#give(found.response, context);
    return found;
  }

  /** Gives what was kept to the thread of a call, which is marked with its marks. @throws ApiSourceError for a source that this run may not use. */
  async #give({ source, madeOf = [], marks }: KeptResponse, context: CallContext): Promise<void> {
    const { visibility, addMarks } = this.#options;
    for (const slug of [source, ...madeOf]) checkVisible(visibility, slug);
    if (marks !== undefined) await addMarks(marks, context);
  }

  #findNamespace(context: CallContext): NamespacedStore | undefined {
    const scope = findScope(this.#options, context);
    const store = findGivenStore(this.#options.responseStore, context) ?? processStore;
    return scope && { store, namespace: toNamespace(scope) };
  }

  /** Undefined where the thread has no mark. */
  async #findMarks(source: string, context: CallContext): Promise<string[] | undefined> {
    const marks = await this.#options.listMarks(source, context);
    return marks.length === 0 ? undefined : [...marks];
  }
}

interface ExpiringEntry {
  readonly expiresAt: number;
  readonly namespaced: NamespacedStore;
  readonly id: string;
}

/** Deletes what is over: not every store ends its entries, and those that do may need a sweeper that is not running. */
class ExpiringEntries {
  readonly #options: Pick<Host, "clock" | "logger" | "describeError">;
  /** In order of time. */
  readonly #entries: ExpiringEntry[] = [];

  constructor(options: Pick<Host, "clock" | "logger" | "describeError">) {
    this.#options = options;
  }

  add(entry: ExpiringEntry): void {
    this.#entries.push(entry);
  }

  async deleteOver(): Promise<void> {
    if (this.#entries.length === 0) return;
    const { clock, logger, describeError } = this.#options;
    const firstLater = this.#entries.findIndex(({ expiresAt }) => expiresAt > clock.now());
    const over = this.#entries.splice(0, firstLater === -1 ? this.#entries.length : firstLater);
    const deleted = over.map(async ({ namespaced: { store, namespace }, id }) =>
      store.delete(namespace, id),
    );
    await Promise.all(deleted).catch((error: unknown) => {
      const data = { error: describeError(error) };
      logger.warn("Expired responses could not be deleted from the store.", data);
    });
  }
}

/** The owner of a call. The kind comes first: a name that a function gives is never a thread, whatever it is called. */
type Scope = readonly [kind: "thread" | "toolkit" | "scope", ...names: string[]];

/** By the application's own function, where it has one, else by the thread. */
function findScope(
  { responseScope, defaultScope }: KeptResponsesOptions,
  context: CallContext,
): Scope | undefined {
  if (responseScope !== undefined) {
    const names = readScope(responseScope(context));
    return names && ["scope", ...names];
  }
  const thread = findThread(context);
  return thread === undefined ? ["toolkit", defaultScope] : ["thread", thread];
}

/** Undefined for what is not a string, or a list of strings, with something in each: such a scope would be everybody's. */
export function readScope(scope: unknown): string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  const names = parts.filter((part): part is string => typeof part === "string" && part !== "");
  return names.length === 0 || names.length < parts.length ? undefined : names;
}

/**
 * Letters, digits and `-`: LangGraph's stores each refuse other characters (`.`, `_`, `%`, `\`). The hash distinguishes names that
 * look alike without them, the readable beginning is for a person who looks into the store.
 */
function toNamespace([kind, ...names]: Scope): string[] {
  const labels = names.map(
    (name) => `${name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40)}-${hashText(name)}`,
  );
  return ["api-responses", kind, ...labels];
}

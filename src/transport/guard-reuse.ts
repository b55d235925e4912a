/** Keeps a connection for the next request only when it sent exactly the answer it was asked for. */

import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const endOfHead = "\r\n\r\n";

/** Watches the connection that a request was given, until the next one is given it. */
export type ReuseGuard = (request: ClientRequest, socket: Duplex) => void;

/**
 * Creates the guard of one transport.
 *
 * Node reads what arrives on an idle connection, and hands it to the next request as its answer (RFC 9112
 * section 9.2 forbids that, and 11.1: response splitting). Here it closes the connection, as does every byte that came along with the end of an
 * answer. Bytes that arrive after the next request was sent cannot be distinguished from its response.
 */
export function createReuseGuard(): ReuseGuard {
  const unwatch = new WeakMap<Duplex, () => void>();
  return (request, socket) => {
    unwatch.get(socket)?.();
    const tally = new AnswerTally();
    let isOver = false;
    const count = (chunk: Buffer): void => {
      // Node's parser heard of the chunk before: it listens since earlier.
      tally.add(chunk);
      if (isOver) socket.destroy();
    };
    socket.on("data", count);
    unwatch.set(socket, () => socket.off("data", count));
    // A head before the answer's own would be taken for it. Few APIs send one: the connection is the price.
    request.on("information", () => {
      tally.hasMore = true;
    });
    request.once("response", (answer) => {
      tally.answer = answer;
      answer.once("end", () => {
        isOver = true;
        if (!tally.isExact) socket.destroy();
      });
    });
  };
}

/** Counts the bytes of one answer as they come from the wire. */
class AnswerTally {
  answer: IncomingMessage | undefined;
  hasMore = false;
  #head = Buffer.alloc(0);
  #headLength = -1;
  #byteCount = 0;
  #tail = "";
  #isComplete = false;

  add(chunk: Buffer): void {
    if (this.#isComplete) this.hasMore = true;
    this.#byteCount += chunk.length;
    this.#tail = (this.#tail + chunk.subarray(-endOfHead.length).toString("latin1")).slice(-endOfHead.length);
    if (this.#headLength < 0) {
      this.#head = Buffer.concat([this.#head, chunk]);
      const at = this.#head.indexOf(endOfHead);
      if (at !== -1) this.#headLength = at + endOfHead.length;
    }
    this.#isComplete = this.answer?.complete ?? false;
  }

  /** Whether what came is the answer and not a byte more. */
  get isExact(): boolean {
    if (this.hasMore || this.#headLength < 0) return false;
    // Where the head gives the length of the body on the wire (RFC 9112 section 6.3).
    const { statusCode, headers } = this.answer ?? {};
    const length = statusCode === 204 || statusCode === 304 ? "0" : headers?.["content-length"];
    if (length !== undefined) return this.#byteCount === this.#headLength + Number(length);
    // The last chunk of a chunked body ends with an empty line. What else ends with one is a second head, for which Node
    // closes the connection itself.
    return this.#tail === endOfHead;
  }
}

/** Faults of an answer that Node's HTTP parser refuses: the rule of HTTP that is broken, and the header in which it is. */

import { readLatin1AsUtf8 } from "../base/text.js";

/** A refusal of the parser. */
export interface ParserFault {
  /** llhttp's, such as `HPE_INVALID_HEADER_TOKEN`. */
  readonly code: string;
  /** The name of the header, as it was sent; absent where the refusal is about no header, or the header is not known. */
  readonly header?: string | undefined;
}

/** These codes are about the line of the head in which the parser stopped. */
const codesOfLines: ReadonlySet<string> = new Set([
  "HPE_INVALID_HEADER_TOKEN",
  "HPE_HEADER_OVERFLOW",
  "HPE_CR_EXPECTED",
  "HPE_LF_EXPECTED",
]);

/** Takes what Node reports of a request. Returns what its HTTP parser refused; undefined for every other error. */
export function readParserFault(error: unknown): ParserFault | undefined {
  const { code, rawPacket, bytesParsed }: ParserError = Object(error);
  if (typeof code !== "string" || !/^HPE_[A-Z_]{1,60}$/.test(code)) return undefined;
  const isInLine = codesOfLines.has(code) && rawPacket instanceof Uint8Array;
  return { code, header: isInLine ? findHeaderName(rawPacket, Number(bytesParsed)) : undefined };
}

/** The members that Node adds to the error of a parser: the bytes that came last, and how many of them were read. */
interface ParserError {
  readonly code?: unknown;
  readonly rawPacket?: unknown;
  readonly bytesParsed?: unknown;
}

/** No name is longer; a line without a name is not searched to its end. */
const maxNameCharacters = 80;

/** The name in the line in which the parser stopped; undefined where the line began in a packet before this one. */
function findHeaderName(packet: Uint8Array, stoppedAt: number): string | undefined {
  const read = Buffer.from(packet).toString("latin1", 0, stoppedAt);
  const start = findLineStart(read);
  if (start === 0) return undefined;
  const line = Buffer.from(packet.subarray(start, start + maxNameCharacters)).toString("latin1");
  const [, name = ""] = /^([^\s:][^:\r\n]*?)\s*[:\r\n]/.exec(line) ?? [];
  return name === "" ? undefined : readLatin1AsUtf8(name);
}

/** A line that begins with a space continues the one before it (RFC 9112, section 5.2). */
function findLineStart(read: string): number {
  const start = read.lastIndexOf("\n") + 1;
  const isContinued = start > 1 && /^[ \t]?$/.test(read.slice(start));
  return isContinued ? read.lastIndexOf("\n", start - 2) + 1 : start;
}

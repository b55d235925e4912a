/** Finds out in which character encoding a body is written. */

export interface Charset {
  /** A label that TextDecoder knows, or `utf-32le`, `utf-32be`. */
  readonly label: string;
  /** Bytes of the byte order mark. */
  readonly markBytes: number;
  /** What was declared but is unknown. */
  readonly unknown?: string;
  /** Whether anything but the default said so. */
  readonly isKnown: boolean;
}

const marks: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** How far a declaration within the document is looked for (WHATWG HTML, section 13.2.3.2). */
const prescanBytes = 1024;

/**
 * Takes bytes, the `charset` parameter of their Content-Type and whether they may be markup. Returns the encoding by byte
 * order mark, else by the parameter, else by the pattern of zero bytes (RFC 4627 section 3), else by `<meta charset>` or
 * the XML declaration, else UTF-8. A label that nobody knows counts as none.
 */
export function findCharset(bytes: Uint8Array, declared: string | undefined, mayBeMarkup: boolean): Charset {
  const mark = marks.find(([, units]) => units.every((unit, index) => bytes[index] === unit));
  if (mark !== undefined) return { label: mark[0], markBytes: mark[1].length, isKnown: true };
  const named = declared === undefined ? undefined : toKnownLabel(declared);
  if (named !== undefined) return { label: named, markBytes: 0, isKnown: true };
  const unknown = declared === undefined ? {} : { unknown: declared.slice(0, 40) };
  const sniffed = sniffZeroBytes(bytes) ?? (mayBeMarkup ? findInMarkup(bytes) : undefined);
  return { label: sniffed ?? "utf-8", markBytes: 0, isKnown: sniffed !== undefined, ...unknown };
}

function toKnownLabel(label: string): string | undefined {
  const lower = label.trim().toLowerCase();
  if (/^utf-?32-?(?:le|be)?$/.test(lower)) return lower.includes("le") ? "utf-32le" : "utf-32be";
  try {
    return new TextDecoder(lower).encoding;
  } catch {
    return undefined;
  }
}

/** The first two characters of JSON, XML and most text are ASCII: their zero bytes give the width and order away. */
function sniffZeroBytes(bytes: Uint8Array): string | undefined {
  if (bytes[0] && bytes[1] && bytes[2] && bytes[3]) return undefined;
  const pattern = Array.from(bytes.subarray(0, 4), (byte) =>
    byte === 0 ? "0" : isPlain(byte) ? "x" : "?",
  ).join("");
  const labels: Record<string, string> = {
    "000x": "utf-32be",
    "0x0x": "utf-16be",
    x000: "utf-32le",
    x0x0: "utf-16le",
  };
  return labels[pattern];
}

function isPlain(byte: number): boolean {
  return (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;
}

function findInMarkup(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, prescanBytes)).toString("latin1");
  const found =
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?([\w.:-]+)/i.exec(head);
  const label = found?.[1] === undefined ? undefined : toKnownLabel(found[1]);
  // It was just read as ASCII: it can't be UTF-16.
  return label?.startsWith("utf-16") || label?.startsWith("utf-32") ? "utf-8" : label;
}

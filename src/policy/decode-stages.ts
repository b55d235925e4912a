/** Knows every text a server may make of a path by decoding it once, twice, and so on. */

/** More layers of percent-encoding than this have no honest use; the path is refused. */
export const maxDecodeLayers = 8;

const escapeRun = /(?:%[0-9a-f]{2})+/gi;

/**
 * The text itself, then each further reading (percent-decoded and NFKC-normalised), down to the fixed point.
 *
 * @returns at least one text; `undefined` when there is no fixed point within eight layers
 */
export function decodeStages(text: string): readonly string[] | undefined {
  const stages = [text];
  let current = text;
  for (let layer = 0; layer <= maxDecodeLayers; layer += 1) {
    const next = decodeOnce(current).normalize("NFKC");
    if (next === current) return stages;
    stages.push(next);
    current = next;
  }
  return undefined;
}

/** The last reading of `decodeStages`: what the most eager server sees. `undefined` as there. */
export function decodeFully(text: string): string | undefined {
  return decodeStages(text)?.at(-1);
}

/**
 * One layer of escapes, `%u002e` (IIS) included. What isn't valid stays as it is, as lenient decoders do;
 * overlong UTF-8 is for `hasOverlongEscape` to find.
 */
function decodeOnce(text: string): string {
  if (!text.includes("%")) return text;
  return text
    .replace(escapeRun, decodeRun)
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return decodePieces(run);
  }
}

function decodePieces(run: string): string {
  let decoded = "";
  for (let index = 0; index < run.length; ) {
    const length = 3 * sequenceLength(Number.parseInt(run.slice(index + 1, index + 3), 16));
    const piece = decodePiece(run.slice(index, index + length));
    decoded += piece ?? run.slice(index, index + 3);
    index += piece === undefined ? 3 : length;
  }
  return decoded;
}

function decodePiece(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return undefined;
  }
}

/** How many bytes a UTF-8 sequence with this first byte has (RFC 3629). */
function sequenceLength(lead: number): number {
  if (lead < 0xc2) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/**
 * Whether the text holds escapes of bytes that no UTF-8 has and that lax decoders read as an ASCII character:
 * `%c0%ae` is a dot to them (RFC 3629 section 10).
 */
export function hasOverlongEscape(text: string): boolean {
  return /%(?:c[01]|f[5-9a-f]|e0(?!%[ab])|f0(?!%[9ab]))/i.test(text);
}

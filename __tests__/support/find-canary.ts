/** Finds a secret, or eight characters of it in a row, in any text, however it was encoded; knows nothing of the package. */

const windowLength = 8;

type Decode = (text: string) => string;

const entityNames: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  plus: "+",
  equals: "=",
  eacute: "é",
};

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

const spaces: Decode = (text) => text.replaceAll("+", " ");

/** Each undoes one way of writing single characters; what it does not know stays. */
const decoders: readonly Decode[] = [
  (text) =>
    text.replace(
      /\\(?:u([0-9a-f]{4})|(.))/gis,
      (_whole, hex: string | undefined, one: string | undefined) =>
        hex === undefined
          ? (controls[one ?? ""] ?? one ?? "")
          : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  (text) => text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => fromBytes(run.replaceAll("%", ""))),
  spaces,
  (text) =>
    text
      .replace(/&#x([0-9a-f]{1,6});/gi, (_whole, hex: string) => fromCode(Number.parseInt(hex, 16)))
      .replace(/&#(\d{1,7});/g, (_whole, digits: string) => fromCode(Number(digits)))
      .replace(/&([a-z]+);/gi, (whole, name: string) => entityNames[name] ?? whole),
  (text) => text.replaceAll("''", "'").replaceAll('""', '"'),
];

const rounds = 4;
const depth = 2;

/** Looks for these secrets: as they are, as bytes and decomposed, and any eight characters in a row of these. */
export function createCanaryFinder(secrets: readonly string[]) {
  const windows = new Set(secrets.flatMap(listForms).flatMap(listWindows));
  const beginnings = new Set([...windows].map((window) => pairOf(window, 0)));
  const clean = new Set<string>();
  const look = (text: string): string | undefined => {
    for (let at = 0; at + windowLength <= text.length; at += 1) {
      if (!beginnings.has(pairOf(text, at))) continue;
      const window = text.slice(at, at + windowLength);
      if (windows.has(window)) {
        return `${JSON.stringify(window)} in ${text.slice(Math.max(0, at - 80), at + 80)}`;
      }
    }
    return undefined;
  };
  const search = (start: string, level: number): string | undefined => {
    const key = `${level} ${start}`;
    if (clean.has(key)) return undefined;
    const found = searchAnew(start, level);
    if (found === undefined) clean.add(key);
    return found;
  };
  const searchAnew = (start: string, level: number): string | undefined => {
    let text = start;
    let looked: string | undefined;
    for (let round = 0; round < rounds; round += 1) {
      const before = text;
      for (const decode of decoders) {
        const found = text === looked ? undefined : (look(text) ?? searchRuns(text, level));
        if (found !== undefined) return found;
        looked = text;
        const decoded = decode(text);
        // A blank for a plus is one reading of two: the other goes on.
        if (decode !== spaces) text = decoded;
        else if (decoded !== text) {
          const plus = look(decoded);
          if (plus !== undefined) return plus;
        }
      }
      if (text === before) break;
    }
    return look(text);
  };
  const searchRuns = (text: string, level: number): string | undefined => {
    if (level === 0) return undefined;
    const decoded = [...listBase64(text), ...listHex(text)].join("\n\n");
    return decoded === "" ? undefined : search(decoded, level - 1);
  };
  const seen = new Set<string>();
  /** @returns the eight characters found and what stands around them; undefined when there is no trace. */
  // What is printed again and again (a run in each of its events) is looked at once, line by line.
  const find = (text: string): string | undefined => {
    const lines = [...new Set(text.split("\n"))].filter((line) => !seen.has(line));
    const found = search(lines.join("\n"), depth);
    if (found === undefined) for (const line of lines) seen.add(line);
    return found;
  };
  return { find };
}

function pairOf(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

function listForms(secret: string): string[] {
  return [secret, Buffer.from(secret, "utf8").toString("latin1"), secret.normalize("NFD")];
}

function listWindows(form: string): string[] {
  const count = Math.max(0, form.length - windowLength + 1);
  return Array.from({ length: count }, (_, at) => form.slice(at, at + windowLength));
}

function listBase64(text: string): string[] {
  const runs = text.replace(/[\r\n]+[ \t]*/g, "").match(/[A-Za-z0-9+/_-]{10,}/g) ?? [];
  // A run may begin with what is no part of it: each of four beginnings is a reading.
  return runs.flatMap((run) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), "base64").toString("utf8")),
  );
}

function listHex(text: string): string[] {
  const runs = text.match(/(?:[0-9a-f]{2}){8,}/gi) ?? [];
  return runs.flatMap((run) => [fromBytes(run), fromBytes(run.slice(1))]);
}

function fromBytes(hex: string): string {
  return Buffer.from(hex, "hex").toString("utf8");
}

function fromCode(code: number): string {
  return code > 0x10ffff ? "" : String.fromCodePoint(code);
}

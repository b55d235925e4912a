/** The most lenient server model: every reading that some server has made of a request target. */

/**
 * Whether the target stays under the base path in every reading: percent-decoded up to ten times (overlong UTF-8 and
 * `%uXXXX` included), normalised (NFKC) or not and its accents dropped or not, each anew in every round, with `\` as `/`, `。` as `.`, path parameters and what follows a decoded `?` or `#` dropped,
 * blanks and invisible characters removed, and dot segments collapsed. Written apart from the code it judges.
 */
export function staysUnderBase(target: string, basePath: string): boolean {
  const [path = ""] = target.split("?");
  let texts = new Set([decodeLax(Buffer.from(path, "utf8").toString("latin1"))]);
  for (let round = 0; round < 10; round += 1) {
    texts = new Set([...texts].slice(0, 200).flatMap(listForms));
    for (const text of texts) {
      for (const reading of listReadings(text)) {
        const collapsed = collapseDots(reading);
        if (collapsed !== basePath && !collapsed.startsWith(`${basePath}/`)) return false;
      }
    }
    const next = [...texts].map((text) =>
      decodeLax(unescapeBytes(Buffer.from(text, "utf8").toString("latin1"))),
    );
    if (next.every((text) => texts.has(text))) return true;
    texts = new Set(next);
  }
  return true;
}

/** As it is, composed, and without the accents: what servers that normalise names, or strip them, see. */
function listForms(text: string): string[] {
  const stripped = text.normalize("NFKD").replace(/[\p{M}\u200b\u00ad]/gu, "");
  return [text, text.normalize("NFKC"), stripped];
}

function listReadings(text: string): string[] {
  const slashed = text.replace(/[\\\u2215\u2044\u29f8]/g, "/").replace(/[\u3002\uff61]/g, ".");
  const bare = slashed.replace(/[\p{Cc}\p{Cf}\s]/gu, "");
  return [text, slashed, bare].flatMap((reading) => [
    reading,
    reading.replace(/;[^/]*/g, ""),
    reading.replace(/[?#].*$/s, ""),
    reading.replace(/[?#][^/]*/g, ""),
  ]);
}

function collapseDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/").slice(1)) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

function unescapeBytes(bytes: string): string {
  return bytes
    .replace(/%u00([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** UTF-8 as lax decoders read it: any lead byte takes as many bytes as it says, however few bits they carry. */
function decodeLax(bytes: string): string {
  let text = "";
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes.charCodeAt(index);
    const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    let code = length === 1 ? lead : lead & (0xff >> (length + 1));
    for (let next = 1; next < length; next += 1)
      code = (code << 6) | (bytes.charCodeAt(index + next) & 0x3f);
    text += code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    index += length;
  }
  return text;
}

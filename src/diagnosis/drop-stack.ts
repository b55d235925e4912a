/** Keeps what an error says and drops where in somebody's program it was raised. */

const maxChars = 20_000;

/** A location with a line number, such as `/srv/app/x.js:1:2`, `D.java:1`, `C:\x.cs:line 3`, `/x.php(12)`. */
const location = String.raw`(?!https?:)(?:[^\s()]{1,300}\.[A-Za-z]{1,5}|node:[\w/-]{1,100})(?::\d+(?::\d+)?|:line \d+|\(\d+\))`;

/** One whole line of a trace: JavaScript and Java, .NET, Python, PHP, Ruby, Go. */
const frameLines: readonly RegExp[] = [
  new RegExp(
    String.raw`^at (?:.{0,200}[ (])?(?:${location}\)?|\(?(?:native|Native Method|Unknown Source|<anonymous>|index \d+)\))`,
  ),
  /^at (?:async |new )?[\w$<>`+]{1,200}(?:[.#][\w$<>`+[\]]{1,200}){1,20} ?\(/,
  /^File "[^"]{0,400}", line \d+/,
  new RegExp(String.raw`^#\d{1,4} (?:.{0,200}?${location}|\{main\}|\[internal function\])`),
  new RegExp(`^${location}:in `),
  /^\.\.\. \d+ (?:more|common frames omitted)/,
  /^(?:Traceback \(most recent call last\)|Stack ?trace|Call stack|goroutine \d+ \[\w+\]):?$/i,
  /^--- End of (?:inner exception |.{0,60})?stack trace/,
  /^(?:thrown )?in (?:\/|[A-Z]:\\)\S{1,300}(?: on line \d+|:\d+)$/,
];

/** Where a trace begins in a text whose line breaks are lost. */
const inlineFrame = new RegExp(
  String.raw`\s(?:at (?:async |new )?[\w$.<>/[\]]{1,200}(?: \[as \w{1,60}\])? ?\((?:${location}|<anonymous>|Native Method|Unknown Source)\)|at (?:file://)?(?:/|[A-Z]:\\|node:)${location}|#0 (?:/|[A-Z]:\\)${location}|Stack trace: ?#0)`,
);
/** Python's error stands behind its frames. */
const inlinePython =
  /^(.{0,300}?)Traceback \(most recent call last\):.* ([\w.]{1,80}(?:Error|Exception|Warning|Exit)(?::.*)?)$/s;

/** A source file with a line, named in passing: ` in /srv/app/x.php on line 3`, ` (/srv/app/x.js:1:2)`. */
const sourcePlace =
  /(?: (?:in|at))? \(?(?:file:\/\/)?(?:\/|[A-Z]:\\)[^\s()'":]{1,300}\.[a-z]{1,5}(?::\d+(?::\d+)?|:line \d+| on line \d+|\(\d+\))\)?/g;

/** The text without stack frames and source places; what is left of an error that was nothing else is `""`. */
export function dropStack(text: string): string {
  const head = text.slice(0, maxChars);
  if (!/\bat |File "|#\d|line \d|:\d|Traceback|stack/i.test(head)) return text;
  const kept = dropFrameLines(head.split(/\r\n|[\n\r]/));
  const [, before = "", error] = inlinePython.exec(kept) ?? [];
  const flat = error === undefined ? kept : `${before}${error}`;
  const frame = inlineFrame.exec(flat);
  return (frame === null ? flat : flat.slice(0, frame.index)).replace(sourcePlace, "").trimEnd();
}

function dropFrameLines(lines: readonly string[]): string {
  if (lines.length === 1) return lines[0] ?? "";
  const kept: string[] = [];
  let isInPython = false;
  for (const line of lines) {
    const bare = line.trim();
    if (frameLines.some((frame) => frame.test(bare.slice(0, 1_000)))) {
      isInPython = /^(?:File|Traceback) /.test(bare);
      continue;
    }
    // Python shows the source line, and carets below it, indented under each frame.
    if (isInPython && /^\s/.test(line)) continue;
    isInPython = false;
    kept.push(line);
  }
  return kept.join("\n");
}

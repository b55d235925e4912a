/** A text or a document under a heading: its lines wrap, its lists and objects fold, and it is copied by a button. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Mark, MarkedLines } from "../write-lines.js";

function Head(props: { title: string; copied?: string | undefined; children?: ComponentChildren }) {
  const { title, copied, children } = props;
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(copied ?? "");
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div class="head">
      <h3>{title}</h3>
      {children}
      {copied !== undefined && (
        <button type="button" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
          <span class="hidden">{` ${title}`}</span>
        </button>
      )}
    </div>
  );
}

export function Text({ title, text, copies }: { title: string; text: string; copies?: boolean }) {
  return (
    <section>
      <Head title={title} copied={copies === true ? text : undefined} />
      <pre role="region" aria-label={title} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

const signs: Record<Mark, string> = { shown: "", omitted: "−", part: "~" };

/** A document in lines, with a sign before what the model did not see. */
export function Lines(props: { title: string; shown: MarkedLines & { readonly text?: string } }) {
  const { title } = props;
  const { lines, total, text } = props.shown;
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const rows = findRows(lines);
  const toggle = (at: number): void => {
    const next = new Set(folded);
    if (!next.delete(at)) next.add(at);
    setFolded(next);
  };
  return (
    <section>
      <Head title={title} copied={text}>
        {rows.length > 1 && (
          <button type="button" onClick={() => setFolded(new Set(folded.size > 0 ? [] : rows))}>
            {folded.size > 0 ? "Unfold" : "Fold"}
            <span class="hidden">{` ${title}`}</span>
          </button>
        )}
      </Head>
      <div class="lines" role="region" aria-label={title} tabIndex={0}>
        {listVisible(lines, folded).map(([at, end]) => {
          const [line = "", mark = "shown"] = lines[at] ?? [];
          const isFolded = end > at;
          return (
            <div key={at} class={`line ${mark}`}>
              <span class="sign">{signs[mark]}</span>
              {isOpening(line) ? (
                <button
                  type="button"
                  class="fold"
                  // A folded one can be reached with Tab; "Fold" folds every row.
                  tabIndex={isFolded ? 0 : -1}
                  aria-expanded={!isFolded}
                  aria-label="Fold"
                  onClick={() => toggle(at)}
                >
                  {isFolded ? "▸" : "▾"}
                </button>
              ) : (
                <span class="fold" />
              )}
              <bdi>
                {isFolded ? `${line} ${lines[at + 1]?.[0].trim()} … ${lines[end]?.[0].trim()}` : line}
              </bdi>
            </div>
          );
        })}
      </div>
      {total > lines.length && (
        <p class="note">{`The first ${lines.length} of ${total} lines. A query finds the rest.`}</p>
      )}
    </section>
  );
}

type AllLines = MarkedLines["lines"];

function isOpening(line: string): boolean {
  return /[[{]$/.test(line);
}

function indentOf(line: string = ""): number {
  return line.length - line.trimStart().length;
}

/** The lines on which a row of a list begins; without one those of the first level. */
function findRows(lines: AllLines): number[] {
  const opening = lines.flatMap(([line], at) => (isOpening(line) && indentOf(line) > 0 ? [at] : []));
  const rows = opening.filter((at) => /^\s+[[{]$/.test(lines[at]?.[0] ?? ""));
  return rows.length > 0 ? rows : opening.filter((at) => indentOf(lines[at]?.[0]) === 2);
}

/** Each line that is not folded away, with the last one that belongs to it. */
function listVisible(lines: AllLines, folded: ReadonlySet<number>): [at: number, end: number][] {
  const visible: [number, number][] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const indent = indentOf(lines[at]?.[0]);
    let end = at;
    if (folded.has(at)) {
      const close = lines.findIndex(([line], index) => index > at && indentOf(line) <= indent);
      end = close < 0 ? lines.length - 1 : close;
    }
    visible.push([at, end]);
    at = end;
  }
  return visible;
}

/** A text or a document under a heading that folds it away: its lines wrap, and it is copied by a button. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Mark, MarkedLines } from "../write-lines.js";

/** @param copied - What the button copies; without it there is none. */
export function Titled(props: {
  title: string;
  copied?: string | undefined;
  children: ComponentChildren;
}) {
  const { title, copied, children } = props;
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(copied ?? "");
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const word = isCopied ? "Copied" : "Copy";
  return (
    <details open>
      <summary>
        <h3>{title}</h3>
      </summary>
      {copied !== undefined && (
        <button type="button" aria-label={`${word} ${title}`} onClick={copy}>
          {word}
        </button>
      )}
      <div class="lines" role="region" aria-label={title} tabIndex={0}>
        {children}
      </div>
    </details>
  );
}

/** A name of a member, another text, a number, or a word of JSON. */
const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(\b(?:true|false|null)\b)/g;

/** One line of a JSON document, in colours. A line of a text has no token, and stays as it is. */
function Coloured({ line }: { line: string }) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: whole, 1: text, 2: colon, 3: number, index } of line.matchAll(jsonToken)) {
    parts.push(line.slice(end, index));
    const kind = text === undefined ? findPlainKind(number) : findTextKind(colon);
    parts.push(<span class={kind}>{text ?? whole}</span>, colon);
    end = index + whole.length;
  }
  return <>{[...parts, line.slice(end)]}</>;
}

const findTextKind = (colon: string | undefined) => (colon === undefined ? "text" : "name");
const findPlainKind = (number: string | undefined) => (number === undefined ? "word" : "number");

const signs: Record<Mark, string> = { shown: "", omitted: "−", part: "~" };

/** A document in lines, with a sign before what the model did not see. */
export function Lines(props: { title: string; shown: MarkedLines & { readonly text?: string } }) {
  const { lines, total, text } = props.shown;
  return (
    <Titled title={props.title} copied={text}>
      {lines.map(([line, mark], at) => (
        <div key={at} class={`line ${mark}`}>
          <span class="sign">{signs[mark]}</span>
          <bdi>
            <Coloured line={line} />
          </bdi>
        </div>
      ))}
      {total > lines.length && (
        <p class="note">{`The first ${lines.length} of ${total} lines. A query finds the rest.`}</p>
      )}
    </Titled>
  );
}

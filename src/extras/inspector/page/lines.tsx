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

const signs: Record<Mark, string> = { shown: "", omitted: "−", part: "~" };

/** A document in lines, with a sign before what the model did not see. */
export function Lines(props: { title: string; shown: MarkedLines & { readonly text?: string } }) {
  const { lines, total, text } = props.shown;
  return (
    <Titled title={props.title} copied={text}>
      {lines.map(([line, mark], at) => (
        <div key={at} class={`line ${mark}`}>
          <span class="sign">{signs[mark]}</span>
          <bdi>{line}</bdi>
        </div>
      ))}
      {total > lines.length && (
        <p class="note">{`The first ${lines.length} of ${total} lines. A query finds the rest.`}</p>
      )}
    </Titled>
  );
}

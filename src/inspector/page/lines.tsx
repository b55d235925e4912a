/** A document in lines, with a sign before what the model did not see. */

import type { Mark, MarkedLines } from "../write-lines.js";
import { Rows, useWindow } from "./window.js";

const rowHeight = 20;
/** More lines than this scroll. */
const maxRows = 26;
const signs: Record<Mark, string> = { shown: " ", omitted: "−", part: "~" };

export function Lines({ label, lines: { lines, total } }: { label: string; lines: MarkedLines }) {
  const shown = useWindow(lines.length, rowHeight);
  const height = Math.min(lines.length, maxRows) * rowHeight + 18;
  return (
    <>
      <div
        class="lines"
        role="region"
        aria-label={label}
        tabIndex={0}
        ref={shown.ref}
        onScroll={shown.onScroll}
        style={{ height: `${height}px` }}
      >
        <Rows shown={shown} count={lines.length} rowHeight={rowHeight}>
          {lines.slice(shown.first, shown.last).map(([text, mark], index) => (
            <div key={shown.first + index} class={`line ${mark}`}>
              <span class="sign">{signs[mark]}</span>
              <bdi>{text}</bdi>
            </div>
          ))}
        </Rows>
      </div>
      {total > lines.length && (
        <p class="note">{`The first ${lines.length} of ${total} lines. A query finds the rest.`}</p>
      )}
    </>
  );
}

/** The calls, the newest first, as a listbox of which only what can be seen is rendered. */

import { useState } from "preact/hooks";
import type { ListedCall } from "../call-log.js";
import { Rows, useWindow } from "./window.js";

export interface Filter {
  readonly text: string;
  readonly source: string;
  readonly isFailed: boolean;
}

export function isWanted(call: ListedCall, { text, source, isFailed }: Filter): boolean {
  if ((source !== "" && call.source !== source) || (isFailed && call.category === undefined)) return false;
  const { method, path, status, category, thread } = call;
  const searched = [call.source, `${method} ${path}`, status, category, thread].join("\n").toLowerCase();
  return searched.includes(text.toLowerCase());
}

const rowHeight = 46;

export function CallList(props: {
  calls: readonly ListedCall[];
  chosen: number | undefined;
  choose: (id: number) => void;
}) {
  const { calls, chosen, choose } = props;
  const shown = useWindow(calls.length, rowHeight, true);
  const [active, setActive] = useState(chosen);
  const at = calls.findIndex(({ id }) => id === active);
  const move = (event: KeyboardEvent): void => {
    const page = Math.max(1, shown.last - shown.first - 16);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: calls.length - 1,
      Enter: at,
      " ": at,
    };
    const row = Math.min(Math.max(steps[event.key] ?? 0, 0), calls.length - 1);
    const call = calls[row];
    if (steps[event.key] === undefined || call === undefined) return;
    event.preventDefault();
    shown.reveal(row);
    setActive(call.id);
    if (row === at && /Enter| /.test(event.key)) choose(call.id);
  };
  return (
    <div
      class="calls"
      role="listbox"
      aria-label="Calls"
      tabIndex={0}
      ref={shown.ref}
      onScroll={shown.onScroll}
      onKeyDown={move}
      {...(at >= shown.first && at < shown.last ? { "aria-activedescendant": `call-${active}` } : {})}
    >
      <Rows shown={shown} count={calls.length} rowHeight={rowHeight}>
        {calls.slice(shown.first, shown.last).map((call, index) => (
          <div
            key={call.id}
            id={`call-${call.id}`}
            role="option"
            aria-selected={call.id === chosen}
            aria-setsize={calls.length}
            aria-posinset={shown.first + index + 1}
            class={call.id === active ? "call active" : "call"}
            onClick={() => {
              setActive(call.id);
              choose(call.id);
            }}
          >
            <Status call={call} /> <b>{call.method}</b> <bdi>{call.path}</bdi>
            <small>{describe(call)}</small>
          </div>
        ))}
      </Rows>
    </div>
  );
}

export function Status({ call: { status, category } }: { call: ListedCall }) {
  return <span class={category === undefined ? "status ok" : "status bad"}>{status ?? "–"}</span>;
}

function describe({ time, source, ms, tokens, attempts = 1, category, approval }: ListedCall): string {
  const parts = [
    new Date(time).toLocaleTimeString(),
    source,
    category,
    `${ms} ms`,
    tokens === undefined ? undefined : `${tokens} tokens`,
    attempts > 1 ? `${attempts} requests` : undefined,
    approval,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The requests that are running, and the calls, the newest first, as a listbox. */

import { useEffect, useState } from "preact/hooks";
import type { ListedCall, RunningRequest } from "../page-change.js";

/** Whether each word of a filter is in a call; `failed` is in each that failed. */
export function isWanted(call: ListedCall, filter: string): boolean {
  const { source, method, path, status, category, thread, approval } = call;
  const failed = category === undefined ? "" : `failed ${category}`;
  const searched = [source, `${method} ${path}`, status, failed, thread, approval].join("\n").toLowerCase();
  return filter
    .toLowerCase()
    .split(" ")
    .every((word) => searched.includes(word));
}

export function RunningList({ running }: { running: readonly RunningRequest[] }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (running.length === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return (
    <ul class="running" aria-label="Running requests">
      {running.map(({ source, method, path, startedMs }, index) => (
        <li key={index} class="call">
          <span class="status">{`${Math.max(0, Math.floor((now - startedMs) / 1_000))} s`}</span>{" "}
          <b>{method}</b> <bdi>{path}</bdi>
          <small>{`${source} · running`}</small>
        </li>
      ))}
    </ul>
  );
}

export function CallList(props: {
  calls: readonly ListedCall[];
  chosen: number | undefined;
  choose: (id: number) => void;
}) {
  const { calls, chosen, choose } = props;
  const [active, setActive] = useState(chosen);
  const at = calls.findIndex(({ id }) => id === active);
  const move = (event: KeyboardEvent): void => {
    const last = calls.length - 1;
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last };
    const isOpening = event.key === "Enter" || event.key === " ";
    const step = isOpening ? at : steps[event.key];
    const call = step === undefined ? undefined : calls[Math.min(Math.max(step, 0), last)];
    if (call === undefined) return;
    event.preventDefault();
    setActive(call.id);
    document.getElementById(`call-${call.id}`)?.scrollIntoView({ block: "nearest" });
    if (isOpening) choose(call.id);
  };
  return (
    <div
      class="calls"
      role="listbox"
      aria-label="Calls"
      tabIndex={0}
      onKeyDown={move}
      aria-activedescendant={at < 0 ? undefined : `call-${active}`}
    >
      {calls.map((call) => (
        <div
          key={call.id}
          id={`call-${call.id}`}
          role="option"
          aria-selected={call.id === chosen}
          class={call.id === active ? "call active" : "call"}
          onClick={() => {
            setActive(call.id);
            choose(call.id);
          }}
        >
          <Status call={call} /> <b>{call.method}</b> <bdi>{call.path}</bdi>
          <small>{`${new Date(call.time).toLocaleTimeString()} · ${describeCall(call)}`}</small>
        </div>
      ))}
    </div>
  );
}

export function Status({ call: { status, category } }: { call: ListedCall }) {
  return <span class={category === undefined ? "status ok" : "status bad"}>{status ?? "–"}</span>;
}

/** What a line of the journal has of a call. */
export function describeCall(call: ListedCall): string {
  const { source, ms, tokens, attempts = 1, category, approval } = call;
  const parts = [
    source,
    category,
    `${ms} ms`,
    tokens === undefined ? undefined : `${tokens} tokens`,
    attempts > 1 ? `${attempts} requests` : undefined,
    approval,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

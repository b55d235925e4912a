/** The requests that are running, and the calls, the newest first. */

import type { ListedCall, RunningRequest } from "../page-change.js";

/** Whether each word of a filter is in a call; `failed` is in each that failed. */
export function isWanted(call: ListedCall, filter: string): boolean {
  const { source, method, path, status, category, thread, approval } = call;
  const failed = category === undefined ? "" : `failed ${category}`;
  const searched = [source, `${method} ${path}`, status, failed, thread, approval]
    .join("\n")
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(" ")
    .every((word) => searched.includes(word));
}

export function RunningList({ running }: { running: readonly RunningRequest[] }) {
  return (
    <ul aria-label="Running requests">
      {running.map(({ source, method, path, startedMs }, index) => (
        <li key={index} class="call">
          <span class="status">…</span> <b>{method}</b> <bdi>{path}</bdi>
          <small>{`${new Date(startedMs).toLocaleTimeString()} · ${source} · running`}</small>
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
  return (
    // It scrolls: the keyboard reaches it.
    <ul class="calls" aria-label="Calls" tabIndex={0}>
      {calls.map((call) => (
        <li key={call.id}>
          <button
            type="button"
            class="call"
            aria-current={call.id === chosen ? "true" : undefined}
            onClick={() => choose(call.id)}
          >
            <Status call={call} /> <b>{call.method}</b> <bdi>{call.path}</bdi>
            <small>{`${new Date(call.time).toLocaleTimeString()} · ${describeCall(call)}`}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Status({ call: { status, category } }: { call: ListedCall }) {
  return <span class={category === undefined ? "status ok" : "status bad"}>{status ?? "–"}</span>;
}

/** The facts of a call that a line of the journal has. */
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

/** The page: calls on the left, one of them on the right, questions above both. */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { maxCalls, type PageChange } from "../page-change.js";
import { CallForm } from "./call-form.js";
import { CallList, isWanted, RunningList } from "./call-list.js";
import { CallView } from "./call-view.js";
import type { Draft } from "./draft.js";
import { QuestionList } from "./question-list.js";

const nothing: PageChange = { sources: [], calls: [], running: [], questions: [] };

function Page() {
  const [state, setState] = useState(nothing);
  const [isLive, setLive] = useState(true);
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useState<number>();
  const [draft, setDraft] = useState<Draft>();
  useEffect(() => follow(setState, setLive), []);
  const { sources, calls, running, questions } = state;
  const wanted = calls.filter((call) => isWanted(call, filter)).reverse();
  const call = calls.find(({ id }) => id === chosen);
  const reuse = sources.length > 0 ? setDraft : undefined;
  return (
    <div class="page">
      <QuestionList questions={questions} />
      {!isLive && (
        <p role="alert" class="ended">
          The inspector does not answer. Is its process still running?
        </p>
      )}
      <nav aria-label="Calls">
        <h1>API calls</h1>
        {sources.length > 0 && (
          <CallForm key={draft} sources={sources} draft={draft} choose={setChosen} />
        )}
        <input
          type="search"
          aria-label="Filter by source, method, path, status, failed, thread"
          placeholder="Filter, such as: orders failed"
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <p class="count" role="status">
          {countWanted(wanted.length, calls.length)}
        </p>
        <RunningList running={running} />
        <CallList calls={wanted} chosen={chosen} choose={setChosen} />
      </nav>
      <main>
        {call === undefined ? (
          <p class="empty">{describeNoChoice(calls.length)}</p>
        ) : (
          <CallView key={call.id} call={call} reuse={reuse} />
        )}
      </main>
    </div>
  );
}

function describeNoChoice(all: number): string {
  return all === 0 ? "No calls yet. They appear here when they end." : "Choose a call.";
}

function countWanted(wanted: number, all: number): string {
  const calls = all === 1 ? "1 call" : `${all} calls`;
  return wanted === all ? calls : `${wanted} of ${calls}`;
}

/** Each connection begins with everything; then come changes. */
function follow(
  setState: (update: (state: PageChange) => PageChange) => void,
  setLive: (isLive: boolean) => void,
) {
  const events = new EventSource("events");
  events.onopen = () => {
    setState(() => nothing);
    setLive(true);
  };
  events.onerror = () => setLive(false);
  events.onmessage = ({ data }) => {
    const change: PageChange = JSON.parse(data);
    setState(({ calls }) => ({ ...change, calls: [...calls, ...change.calls].slice(-maxCalls) }));
  };
  return () => events.close();
}

render(<Page />, document.body);

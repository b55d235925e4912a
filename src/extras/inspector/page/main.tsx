/** The page: sources and calls on the left, one call on the right, questions above both. */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PageChange } from "../page-change.js";
import { CallForm } from "./call-form.js";
import { CallList, type Filter, isWanted } from "./call-list.js";
import { CallView } from "./call-view.js";
import { QuestionList } from "./question-list.js";
import { SourceList } from "./source-list.js";

const nothing: PageChange = { sources: [], calls: [], questions: [], canCall: false };

function Page() {
  const [state, setState] = useState(nothing);
  const [isLive, setLive] = useState(true);
  const [filter, setFilter] = useState<Filter>({ text: "", source: "", isFailed: false });
  const [chosen, setChosen] = useState<number>();
  useEffect(() => follow(setState, setLive), []);
  const { sources, calls, questions, canCall } = state;
  const wanted = calls.filter((call) => isWanted(call, filter)).reverse();
  const call = calls.find(({ id }) => id === chosen);
  const slugs = [...new Set([...sources.map(({ slug }) => slug), ...calls.map(({ source }) => source)])];
  const leave = (): void => {
    setChosen(undefined);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".calls")?.focus());
  };
  return (
    <div class={call === undefined ? "page" : "page has-call"}>
      <QuestionList questions={questions} />
      {!isLive && (
        <p role="alert" class="ended">
          The inspector does not answer. Is its process still running?
        </p>
      )}
      <nav aria-label="Sources and calls">
        <h1>API calls</h1>
        <SourceList sources={sources} />
        {canCall && <CallForm sources={sources} />}
        <FilterBar slugs={slugs} setFilter={setFilter} />
        <p class="count" role="status">
          {wanted.length === calls.length
            ? `${calls.length} calls`
            : `${wanted.length} of ${calls.length} calls`}
        </p>
        <CallList calls={wanted} chosen={chosen} choose={setChosen} />
      </nav>
      <main>
        {call === undefined ? (
          <p class="empty">
            {calls.length === 0 ? "No calls yet. They appear here when they end." : "Choose a call."}
          </p>
        ) : (
          <CallView key={call.id} call={call} leave={leave} />
        )}
      </main>
    </div>
  );
}

function FilterBar({ slugs, setFilter }: { slugs: readonly string[]; setFilter: (filter: Filter) => void }) {
  const change = ({ currentTarget }: { currentTarget: HTMLFormElement }): void => {
    const { text, source, failed } = Object.fromEntries(new FormData(currentTarget));
    setFilter({ text: String(text), source: String(source), isFailed: failed !== undefined });
  };
  return (
    <form class="filter" role="search" onInput={change} onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        name="text"
        aria-label="Filter by method, path, status, failure or thread"
        placeholder="Filter"
      />
      <select name="source" aria-label="Source">
        <option value="">all sources</option>
        {slugs.map((slug) => (
          <option key={slug}>{slug}</option>
        ))}
      </select>
      <label>
        <input type="checkbox" name="failed" />
        failed
      </label>
    </form>
  );
}

/** Each connection begins with everything; then come changes. */
function follow(
  setState: (update: (state: PageChange) => PageChange) => void,
  setLive: (isLive: boolean) => void,
) {
  const events = new EventSource("events");
  let isFirst = true;
  events.onopen = () => {
    isFirst = true;
    setLive(true);
  };
  events.onerror = () => setLive(false);
  events.onmessage = ({ data }) => {
    const change: PageChange = JSON.parse(data);
    const before = isFirst;
    isFirst = false;
    setState(({ calls }) => ({ ...change, calls: before ? change.calls : [...calls, ...change.calls] }));
  };
  return () => events.close();
}

render(<Page />, document.body);

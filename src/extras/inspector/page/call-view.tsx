/** One call in full. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { ListedCall } from "../call-log.js";
import type { ShownCall, ShownWhole } from "../show-call.js";
import type { Mark, MarkedLines } from "../write-lines.js";
import { read } from "./ask-server.js";
import { Status } from "./call-list.js";
import { Rows, useWindow } from "./window.js";

export function CallView({ call, leave }: { call: ListedCall; leave: () => void }) {
  const [shown, setShown] = useState<ShownCall>();
  useEffect(() => {
    read<ShownCall>("call", { id: String(call.id) }).then((found) => setShown(found ?? { call }));
  }, []);
  return (
    <article class="view">
      <button type="button" class="back" onClick={leave}>
        All calls
      </button>
      <h2>
        <Status call={call} /> {call.method} <bdi>{call.path}</bdi>
      </h2>
      <Facts call={call} waited={shown?.waited} />
      {shown?.error !== undefined && <p class="error">{shown.error}</p>}
      {shown?.notes !== undefined && (
        <ul class="notes" aria-label="Notes of the answer">
          {shown.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {shown?.answer !== undefined && <Answer shown={shown} />}
      {shown?.input !== undefined && (
        <section>
          <h3>Input of the tool</h3>
          <Lines label="Input of the tool" lines={shown.input} />
        </section>
      )}
      {shown !== undefined && <Request shown={shown} />}
      {shown !== undefined && shown.input === undefined && (
        <p class="note">
          {call.isFromJournal
            ? "This call is a line of the journal, which holds no input and no answer."
            : "The input and the answer of this call are not held: it is too old, or onCall received a copy of the event."}
        </p>
      )}
    </article>
  );
}

function Facts({ call, waited }: { call: ListedCall; waited: string | undefined }) {
  const { attempts, waitedMs } = call;
  const facts: Record<string, string | number | undefined> = {
    source: call.source,
    time: new Date(call.time).toLocaleString(),
    duration: `${call.ms} ms`,
    tokens: call.tokens?.toLocaleString(),
    bytes: call.bytes?.toLocaleString(),
    requests: attempts,
    waited:
      waitedMs === undefined ? undefined : `${waitedMs} ms${waited === undefined ? "" : ` (${waited})`}`,
    failure: call.category,
    approval: call.approval,
    thread: call.thread,
  };
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Answer({ shown }: { shown: ShownCall }) {
  const [whole, setWhole] = useState<ShownWhole>();
  const asked = useRef(0);
  const ask = (select: string): void => {
    asked.current += 1;
    const number = asked.current;
    read<ShownWhole>("whole", { id: String(shown.call.id), select }).then((found) => {
      if (number === asked.current) setWhole(found ?? { note: "It is no longer held." });
    });
  };
  useEffect(() => ask(shown.select ?? ""), []);
  const body = whole?.whole;
  return (
    <section class="answer">
      <div>
        <h3>Answer as the model saw it</h3>
        <p class="note">{shown.size}</p>
        {shown.answer !== undefined && <Lines label="Answer as the model saw it" lines={shown.answer} />}
      </div>
      <div>
        <form
          class="ask"
          onSubmit={(event) => {
            event.preventDefault();
            ask(String(new FormData(event.currentTarget).get("select")));
          }}
        >
          <h3>Whole body</h3>
          <input
            aria-label="Ask this answer: a JMESPath, empty for the whole body"
            placeholder="Ask: a JMESPath, such as length(@)"
            name="select"
            defaultValue={shown.select}
          />
          <button type="submit">Run</button>
        </form>
        <div role="status" class="note">
          {whole?.error !== undefined && <p class="error">{whole.error}</p>}
          {whole?.note}
          {body !== undefined && body.omitted > 0 && (
            <p>{`− omitted, ~ shown in part: ${body.omitted} of ${body.total} lines`}</p>
          )}
        </div>
        {body !== undefined && <Lines label="Whole body" lines={body} />}
      </div>
    </section>
  );
}

function Request({ shown: { request, requests = [], curl, curlNotes } }: { shown: ShownCall }) {
  if (request === undefined) return null;
  const { method, url, headers, body } = request;
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return (
    <section>
      <h3>Request, without the credential</h3>
      <Text label="Request" text={[...head, ...(body === undefined ? [] : ["", body])].join("\n")} />
      {curl !== undefined && (
        <>
          <h3>As curl</h3>
          <Text label="As curl" text={curl} />
          <p class="note">{curlNotes?.join(" ")}</p>
        </>
      )}
      <h3>Sent</h3>
      <ol>
        {requests.map(({ method, path, status, category, durationMs, attempts = 1 }, index) => (
          <li key={index}>
            <bdi>{`${method} ${path}`}</bdi>
            {`: ${status ?? category}, ${durationMs} ms${attempts === 1 ? "" : `, ${attempts} attempts`}`}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Text({ label, text }: { label: string; text: string }) {
  return (
    <pre role="region" aria-label={label} tabIndex={0}>
      {text}
    </pre>
  );
}

const rowHeight = 20;
/** More lines than this scroll. */
const maxRows = 26;
const signs: Record<Mark, string> = { shown: " ", omitted: "−", part: "~" };

/** A document in lines, with a sign before what the model did not see. */
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

/** One call in full. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { ListedCall } from "../page-change.js";
import type { ShownCall, ShownWhole } from "../show-call.js";
import { read } from "./ask-server.js";
import { describeCall, Status } from "./call-list.js";
import { type Draft, toDraft } from "./draft.js";
import { Lines, Titled } from "./lines.js";

/** @param props.reuse - Fills the form with this call; absent where no calls are made on the page. */
export function CallView(props: {
  call: ListedCall;
  reuse: ((draft: Draft | undefined) => void) | undefined;
}) {
  const { call, reuse } = props;
  const [shown, setShown] = useState<ShownCall>();
  useEffect(() => {
    read<ShownCall>("call", { id: String(call.id) }).then((found) => setShown(found ?? { call }));
  }, []);
  const { answer, input, error } = shown ?? {};
  return (
    <article class="view">
      <h2>
        <Status call={call} /> {call.method} <bdi>{call.path}</bdi>
      </h2>
      <p class="facts">{writeFacts(call)}</p>
      {error !== undefined && <p class="error">{error}</p>}
      {shown !== undefined && answer !== undefined && (
        <div class={shown.isKept ? "answer" : ""}>
          <Lines title="Answer as the model saw it" shown={answer} />
          {shown.isKept && <Whole shown={shown} />}
        </div>
      )}
      {input !== undefined && <Lines title="Input of the tool" shown={input} />}
      {input !== undefined && reuse !== undefined && (
        <button type="button" onClick={() => reuse(toDraft(call.source, input.text))}>
          Use this call again
        </button>
      )}
      {shown !== undefined && <Request shown={shown} />}
      {shown !== undefined && input === undefined && (
        <p class="note">
          {call.isFromJournal
            ? "A journal has no inputs and answers: to see whole calls, give the application onCall: inspector.onCall of createInspector() (docs/inspector.md)."
            : "The input and the answer of this call are not held: it is too old, or onCall received a copy of the event."}
        </p>
      )}
    </article>
  );
}

function writeFacts(call: ListedCall): string {
  const { time, bytes, waitedMs, thread } = call;
  const parts = [
    new Date(time).toLocaleString(),
    describeCall(call),
    bytes === undefined ? undefined : `${bytes.toLocaleString()} bytes`,
    waitedMs === undefined ? undefined : `waited ${waitedMs} ms`,
    thread === undefined ? undefined : `thread ${thread}`,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The body that was kept, and queries over it. */
function Whole({ shown }: { shown: ShownCall }) {
  const [whole, setWhole] = useState<ShownWhole & { readonly select?: string }>();
  const asked = useRef(0);
  const ask = (select: string): void => {
    asked.current += 1;
    const number = asked.current;
    read<ShownWhole>("whole", { id: String(shown.call.id), select }).then((found) => {
      if (number === asked.current)
        setWhole({ ...(found ?? { note: "It is no longer held." }), select });
    });
  };
  useEffect(() => ask(shown.select ?? ""), []);
  const body = whole?.whole;
  return (
    <div>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask(String(new FormData(event.currentTarget).get("select")));
        }}
      >
        <input
          aria-label="Ask this answer: a JMESPath, empty for the whole body"
          placeholder="JMESPath over the whole body: length(@)"
          name="select"
          defaultValue={shown.select}
        />
        <button type="submit">Ask</button>
      </form>
      <div role="status" class="note">
        {whole?.error !== undefined && <p class="error">{whole.error}</p>}
        {whole?.note}
        {body !== undefined && body.omitted > 0 && (
          <p>{`− omitted, ~ shown in part: ${body.omitted} of ${body.total} lines`}</p>
        )}
      </div>
      {body !== undefined && (
        <Lines
          key={asked.current}
          title={whole?.select ? "Result of the query" : "Whole body"}
          shown={body}
        />
      )}
    </div>
  );
}

function Request({
  shown: { request, requests = [], curl, curlNotes = [] },
}: {
  shown: ShownCall;
}) {
  if (request === undefined) return null;
  const { method, url, headers, body } = request;
  const head = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return (
    <>
      <Titled title="Request, without the credential">
        {[...head, ...(body === undefined ? [] : ["", body])].join("\n")}
      </Titled>
      {curl !== undefined && (
        <Titled title="As curl" copied={curl}>
          {[...curlNotes.map((note) => `# ${note}`), curl].join("\n")}
        </Titled>
      )}
      {requests.length > 1 && (
        <section>
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
      )}
    </>
  );
}

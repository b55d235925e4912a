/** A call that is made on the page: its answer opens when it comes. */

import { useState } from "preact/hooks";
import type { CallableSource } from "../page-change.js";
import { post } from "./ask-server.js";
import { type Draft, readObject } from "./draft.js";

export function CallForm(props: {
  sources: readonly CallableSource[];
  /** A call to begin with. Another one needs another `key`. */
  draft: Draft | undefined;
  choose: (id: number) => void;
}) {
  const { sources, draft, choose } = props;
  const [slug, setSlug] = useState(draft?.source ?? sources[0]?.slug);
  const [method, setMethod] = useState(draft?.method);
  const { isSending, error, send } = useSending(choose);
  const source = sources.find((each) => each.slug === slug);
  return (
    <details class="make" open={draft !== undefined}>
      <summary>Make a call</summary>
      <form onSubmit={send}>
        <select
          name="source"
          aria-label="Source of the call"
          value={slug}
          onChange={({ currentTarget }) => setSlug(currentTarget.value)}
        >
          {sources.map((each) => (
            <option key={each.slug}>{each.slug}</option>
          ))}
        </select>
        <select
          name="method"
          aria-label="Method"
          value={method}
          onChange={({ currentTarget }) => setMethod(currentTarget.value)}
        >
          {source?.methods.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <CallFields draft={draft} />
        {error !== undefined && <p class="error">{error}</p>}
        <button type="submit" disabled={isSending}>
          {isSending ? "Waiting for the answer" : "Send"}
        </button>
        {source !== undefined && <Permitted source={source} />}
      </form>
    </details>
  );
}

function CallFields({ draft }: { draft: Draft | undefined }) {
  return (
    <>
      <input
        name="path"
        required
        aria-label="Path below the base URL"
        placeholder="/path?name=value"
        defaultValue={draft?.path}
      />
      <textarea
        name="body"
        aria-label="Body as JSON"
        placeholder="Body as JSON, not for a GET"
        defaultValue={draft?.body}
      />
      <input
        name="select"
        aria-label="Select, a JMESPath"
        placeholder="select: a JMESPath"
        defaultValue={draft?.select}
      />
      <input
        name="pages"
        type="number"
        min="1"
        aria-label="Pages"
        placeholder="pages"
        defaultValue={draft?.pages}
      />
      <input
        name="wait"
        type="number"
        min="0"
        aria-label="Wait, in seconds"
        placeholder="wait, in s"
        defaultValue={draft?.wait}
      />
      <textarea
        name="more"
        aria-label="Other members of the input, as a JSON object"
        placeholder='Other members, such as {"headers": {"If-Match": "\"1\""}}'
        defaultValue={draft?.more}
      />
    </>
  );
}

/** The limits of the record, and the setting that has each. */
function Permitted({ source: { slug, methods, paths } }: { source: CallableSource }) {
  const limits = [
    methods.length < 5 ? `api.methods (${methods.join(", ")})` : "",
    paths.allow === undefined ? "" : `api.paths.allow (${paths.allow.join(", ")})`,
    paths.deny === undefined ? "" : `api.paths.deny (${paths.deny.join(", ")})`,
  ].filter((limit) => limit !== "");
  if (limits.length === 0) return null;
  return (
    <p class="note">{`To permit more, change the record of ${slug}: ${limits.join(", ")}.`}</p>
  );
}

type SendEvent = SubmitEvent & { currentTarget: HTMLFormElement };

/** Sends what the form contains, and opens the call when it has ended. */
function useSending(choose: (id: number) => void) {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const send = async (event: SendEvent): Promise<void> => {
    event.preventDefault();
    const { source, more, ...fields } = Object.fromEntries(new FormData(event.currentTarget));
    const others = readObject(more);
    if (others === undefined) return setError("Other members are not a JSON object.");
    const given = Object.entries(fields).filter(([, value]) => value !== "");
    setError(undefined);
    setSending(true);
    const input = { ...others, ...Object.fromEntries(given) };
    const sent = await post<{ id?: number }>("send", { source, input }).catch(() => undefined);
    setSending(false);
    if (sent?.id !== undefined) choose(sent.id);
  };
  return { isSending, error, send };
}

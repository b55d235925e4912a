/** A call that is made on the page: its answer opens when it comes. */

import { useState } from "preact/hooks";
import { post } from "./ask-server.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function CallForm(props: { sources: readonly string[]; choose: (id: number) => void }) {
  const { sources, choose } = props;
  const [isSending, setSending] = useState(false);
  const send = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const { source, ...fields } = Object.fromEntries(new FormData(event.currentTarget));
    const input = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
    setSending(true);
    const sent = await post<{ id?: number }>("send", { source, input }).catch(() => undefined);
    setSending(false);
    if (sent?.id !== undefined) choose(sent.id);
  };
  return (
    <details class="make">
      <summary>Make a call</summary>
      <form onSubmit={send}>
        <select name="source" aria-label="Source of the call">
          {sources.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <select name="method" aria-label="Method">
          {methods.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <input
          name="path"
          required
          aria-label="Path below the base URL"
          placeholder="/path?name=value"
        />
        <textarea name="body" aria-label="Body as JSON" placeholder="Body as JSON, not for a GET" />
        <input name="select" aria-label="Select, a JMESPath" placeholder="select: a JMESPath" />
        <input name="pages" type="number" min="1" aria-label="Pages" placeholder="pages" />
        <input
          name="wait"
          type="number"
          min="0"
          aria-label="Wait, in seconds"
          placeholder="wait, in s"
        />
        <button type="submit" disabled={isSending}>
          {isSending ? "Waiting for the answer" : "Send"}
        </button>
      </form>
    </details>
  );
}

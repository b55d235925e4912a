/** A call that is made on the page. */

import { useState } from "preact/hooks";
import type { ListedSource } from "../page-change.js";
import { post } from "./ask-server.js";

export function CallForm({ sources }: { sources: readonly ListedSource[] }) {
  const [slug, setSlug] = useState("");
  const { methods = [] } = sources.find((source) => source.slug === slug) ?? sources[0] ?? {};
  const send = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const { source, body, ...input } = Object.fromEntries(new FormData(event.currentTarget));
    post("send", { source, input: body === "" ? input : { ...input, body } });
  };
  return (
    <details class="make">
      <summary>Make a call</summary>
      <form onSubmit={send}>
        <select
          name="source"
          aria-label="Source of the call"
          onChange={({ currentTarget }) => setSlug(currentTarget.value)}
        >
          {sources.map((each) => (
            <option key={each.slug}>{each.slug}</option>
          ))}
        </select>
        <select name="method" aria-label="Method">
          {methods.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <input name="path" required aria-label="Path below the base URL" placeholder="/path?name=value" />
        <textarea name="body" aria-label="Body as JSON" placeholder="Body as JSON, not for a GET" />
        <button type="submit">Send</button>
      </form>
    </details>
  );
}

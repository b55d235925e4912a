/** The sources, each with the result of its last test. */

import type { ListedSource } from "../page-change.js";
import { post } from "./ask-server.js";

export function SourceList({ sources }: { sources: readonly ListedSource[] }) {
  return (
    <details class="sources" open={sources.length <= 6}>
      <summary>{sources.length === 1 ? "1 source" : `${sources.length} sources`}</summary>
      <ul>
        {sources.map((source) => (
          <Source key={source.slug} source={source} />
        ))}
      </ul>
    </details>
  );
}

function Source({ source: { slug, name, baseUrl, isTesting, report } }: { source: ListedSource }) {
  const verdict = isTesting ? "testing" : (report?.verdict ?? "not tested");
  const look = report === undefined || isTesting ? "status" : `status ${report.ok ? "ok" : "bad"}`;
  return (
    <li>
      <div class="source">
        <b>{name}</b> <span class={look}>{verdict}</span>
        <button type="button" disabled={isTesting} onClick={() => post("test", { source: slug })}>
          Test<span class="hidden">{` ${name}`}</span>
        </button>
        <small>{baseUrl}</small>
      </div>
      {report !== undefined && !isTesting && (
        <details class="report">
          <summary>{`Result of the test, ${Math.round(report.durationMs)} ms`}</summary>
          <p>{report.message}</p>
          {report.fix !== "" && <p>{`Fix: ${report.fix}`}</p>}
          {report.warnings.map((warning) => (
            <p key={warning}>{`Warning: ${warning}`}</p>
          ))}
        </details>
      )}
    </li>
  );
}

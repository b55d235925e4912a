/** Calls that wait for a decision. */

import { useEffect, useState } from "preact/hooks";
import { type Question, settleMs } from "../page-change.js";
import { post } from "./ask-server.js";
import { Text } from "./call-view.js";

export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div class="questions" role="region" aria-label="Calls that wait for a decision" aria-live="polite">
      {questions.map((question, place) => (
        <QuestionCard key={question.nonce} question={question} place={place} />
      ))}
    </div>
  );
}

function QuestionCard({ question, place }: { question: Question; place: number }) {
  const { nonce, source, method, url, headers = {}, body, files = [], confidential = [], program } = question;
  const [isSent, setSent] = useState(false);
  // Where a click may have been meant for the question that was here before, it counts for none.
  const [settled, setSettled] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(place), settleMs);
    return () => clearTimeout(timer);
  }, [place]);
  const isDisabled = isSent || settled !== place;
  const decide = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    setSent(true);
    const decision = Object.fromEntries(new FormData(event.currentTarget, event.submitter));
    post("decide", { nonce, ...decision }).then(setSent, () => setSent(false));
  };
  return (
    <article>
      <h2>{`${source} waits for a decision`}</h2>
      <p class="request">
        <b>{method}</b> <bdi>{url}</bdi>
      </p>
      {Object.entries(headers).map(([name, value]) => (
        <p key={name} class="request">{`${name}: ${value}`}</p>
      ))}
      {body !== undefined && <Text label="Body" text={body} />}
      {files.map(({ name, type, bytes, sha256 }) => (
        <p key={sha256}>{`File ${name}, ${type}, ${bytes} bytes, SHA-256 ${sha256}`}</p>
      ))}
      {confidential.map((name) => (
        <p key={name} class="confidential">
          {program === undefined
            ? `May carry content of the confidential source ${name}`
            : `The program may send anything it has read from ${name} to ${source}, in any number of requests, until it ends`}
        </p>
      ))}
      {program !== undefined && <Text label="Program" text={program} />}
      <form class="decision" onSubmit={decide}>
        <input
          name="message"
          aria-label="Reason of a rejection"
          placeholder="Reason, which the model reads"
        />
        {/* The first button is what the Enter key in the field means. */}
        <button type="submit" name="type" value="reject" disabled={isDisabled}>
          Reject
        </button>
        <button type="submit" name="type" value="approve" class="approve" disabled={isDisabled}>
          Approve
        </button>
      </form>
    </article>
  );
}

/** Calls that wait for a decision. */

import { useEffect, useState } from "preact/hooks";
import { type Question, settleMs } from "../page-change.js";
import { post } from "./ask-server.js";
import { Titled } from "./lines.js";

export function QuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <div
      class="questions"
      role="region"
      aria-label="Calls that wait for a decision"
      aria-live="polite"
    >
      {questions.map((question, place) => (
        <QuestionCard key={question.nonce} question={question} place={place} />
      ))}
    </div>
  );
}

function QuestionCard({ question, place }: { question: Question; place: number }) {
  return (
    <article>
      <h2>{`${question.source} waits for a decision`}</h2>
      <RequestFacts question={question} />
      <DecisionForm question={question} place={place} />
    </article>
  );
}

/** All that a person approves: the request as it is sent, and where its content may come from. */
function RequestFacts({ question }: { question: Question }) {
  const { source, method, url, headers = {}, body, files = [], program } = question;
  const { confidential = [] } = question;
  return (
    <>
      <p class="request">
        <b>{method}</b> <bdi>{url}</bdi>
      </p>
      {Object.entries(headers).map(([name, value]) => (
        <p key={name} class="request">{`${name}: ${value}`}</p>
      ))}
      {body !== undefined && <Titled title="Body">{body}</Titled>}
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
      {program !== undefined && <Titled title="Program">{program}</Titled>}
    </>
  );
}

function DecisionForm({ question, place }: { question: Question; place: number }) {
  const { nonce, always, input } = question;
  const [isEditing, setEditing] = useState(false);
  const isSettled = useSettled(place);
  const { isSent, isRefused, decide } = useDecision(nonce);
  const isDisabled = isSent || !isSettled;
  return (
    <form onSubmit={decide}>
      <div class="decision">
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
        {input !== undefined && (
          <button type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            Edit the call
          </button>
        )}
      </div>
      {always !== undefined && (
        <label>
          <input type="checkbox" name="always" /> {`Approve also ${always}, for 24 hours`}
        </label>
      )}
      {input !== undefined && isEditing && (
        <div class="edit">
          <textarea name="input" aria-label="The call as it should be, as JSON" rows={8}>
            {input}
          </textarea>
          <button type="submit" name="type" value="edit" disabled={isDisabled}>
            Send as edited
          </button>
          {isRefused && <p class="error">Nothing was sent: the input must be an object of JSON.</p>}
        </div>
      )}
    </form>
  );
}

/** Whether the question has been at its place for a while: an earlier click may have been meant for the question that was there before. */
function useSettled(place: number): boolean {
  const [settled, setSettled] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(place), settleMs);
    return () => clearTimeout(timer);
  }, [place]);
  return settled === place;
}

type DecisionEvent = SubmitEvent & { currentTarget: HTMLFormElement };

/** Sends what the form contains. `isRefused`: the server did not take the last decision. */
function useDecision(nonce: string) {
  const [isSent, setSent] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const decide = async (event: DecisionEvent): Promise<void> => {
    event.preventDefault();
    setSent(true);
    const form = new FormData(event.currentTarget, event.submitter);
    const { always, ...given } = Object.fromEntries(form);
    const decision = { ...given, nonce, always: always !== undefined };
    const taken = await post("decide", decision).catch(() => undefined);
    setSent(taken !== undefined);
    setRefused(taken === undefined);
  };
  return { isSent, isRefused, decide };
}

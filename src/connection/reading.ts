/** An answer as evidence: its status, what it says, and what it asks for. */

import type { Probe, ProbeAnswer } from "../client/probe-source.js";
import type { CallError } from "../errors.js";
import { clipText } from "../text.js";
import type { Finding, Subject } from "./finding.js";

export interface Reading extends Subject {
  readonly status: number;
  readonly headers: ProbeAnswer["reply"]["exchange"]["headers"];
  readonly error: CallError;
  readonly challenges: ProbeAnswer["challenges"];
  readonly page: ProbeAnswer["page"];
  readonly speaksOfCredential: boolean;
  /** Everything the API said that may name a cause, bounded. */
  readonly words: string;
  /** Names of the headers that were sent, in lower case. */
  readonly sentHeaders: ReadonlySet<string>;
}

const maxWordCharacters = 4_000;
const maxQuotedCharacters = 200;

export function toReading(subject: Subject, probe: Probe, answer: ProbeAnswer, error: CallError): Reading {
  const { exchange, body } = answer.reply;
  const code = error.code ?? "";
  const details = error.details === undefined ? "" : JSON.stringify(error.details);
  const text = body.kind === "binary" || answer.page !== undefined ? "" : body.text;
  return {
    ...subject,
    status: exchange.status,
    headers: exchange.headers,
    error,
    challenges: answer.challenges,
    page: answer.page,
    speaksOfCredential: answer.speaksOfCredential || saysTokenIsWrong(`${code} ${error.message}`),
    words: [error.message, code, details, text.slice(0, maxWordCharacters)]
      .join("\n")
      .slice(0, maxWordCharacters),
    sentHeaders: new Set(Object.keys(probe.headers).map((name) => name.toLowerCase())),
  };
}

const things =
  "(?:api[ _-]?key|access[ _-]?key|app(?:lication)?[ _-]?key|subscription[ _-]?key|licen[cs]e key|token|jwt|session|credentials?|password|login|auth(?:ori[sz]ation|entication)?[ _-](?:scheme|type|method))";
const tokenIsWrong = new RegExp(
  `\\b(?:invalid|bad|wrong|unknown|incorrect|expired|missing|unrecogni[sz]ed|revoked|inactive|unsupported|unexpected)[ _](?:or (?:invalid|expired|missing) )?${things}\\b` +
    `|\\b${things} (?:provided )?(?:is |was |has |has been |could )?(?:not |n't )?(?:be )?(?:invalid|valid|expired|missing|unknown|found|recogni[sz]ed|verified|wrong|required|revoked|disabled|malformed)\\b` +
    "|system:anonymous\\b",
  "i",
);

function saysTokenIsWrong(text: string): boolean {
  return tokenIsWrong.test(text);
}

/** Such as `GET https://api.example.com/user answered 401: "Bad credentials".` */
export function tellAnswer({ url, status, error }: Reading): string {
  const said = /^The API answered with status \d+ and no message\.$/.test(error.message)
    ? " and no message"
    : `: "${clipText(unquote(error.message), maxQuotedCharacters)}"`;
  return `GET ${withoutQuery(url)} answered ${status}${said}.`;
}

/** Without the quotes around the whole, and the full stop; a quoted word at its end stays whole. */
function unquote(message: string): string {
  const [, , inner] = /^(["'])(.*)\1\.?$/s.exec(message) ?? [];
  return (inner === undefined || /["']/.test(inner) ? message : inner).replace(/\.$/, "");
}

export function withoutQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Whether the words are about what a credential may do, and not about the credential itself. */
export function speaksOfPermission({ words, challenges }: Reading): boolean {
  const isScope = challenges.some(({ params }) => params.get("error") === "insufficient_scope");
  return (
    isScope ||
    /insufficient[ _-](?:scope|permission|privilege|right|access)|missing[ _-](?:scope|permission)|permission|privilege|\bscopes?\b|not (?:authori[sz]ed|allowed|permitted|entitled) to\b|unauthori[sz]ed to\b|your (?:current )?(?:plan|subscription)|upgrade your/i.test(
      words,
    )
  );
}

export function toFinding(verdict: Finding["verdict"], message: string, fix: string): Finding {
  return { verdict, message, fix };
}

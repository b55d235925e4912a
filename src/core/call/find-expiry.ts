/** Whether an answer says that the token of its request is not valid any more, and whether the request may be sent again with another. */

import { squeeze } from "../failure/categories.js";
import { readErrorBody } from "../failure/error-body.js";
import type { BuiltCall, Reply } from "./running-call.js";

/** A token that has to be renewed. */
export interface Expiry {
  /** Whether the body alone says so: that causes one renewal in a while, because an API may always answer so. */
  readonly isInBody: boolean;
  /** Whether the request may be sent again: it is a read, or was refused before it was done. */
  readonly isSentAgain: boolean;
}

/** Statuses that are about the token: 498 is ArcGIS' and others' (Invalid Token), 419 Laravel's and 440 IIS' for a session that ended. */
const tokenStatuses: ReadonlySet<number> = new Set([401, 419, 440, 498]);
/** Statuses under which a request was refused and not done. */
const refusedStatuses: ReadonlySet<number> = new Set([400, 403, ...tokenStatuses]);
/** Statuses under which the codes of a body are looked at. */
const bodyStatuses: ReadonlySet<number> = new Set([400, 403]);
/** The kinds of token whose expiry counts: the one that was sent. A `csrf_token_expired` is about another. */
const kind = "(?:access|auth|authentication|bearer|id|jwt|oauth|security|session)*";
/** RFC 6750, section 3.1, and what APIs write in its place (`token_expired`, AWS' `ExpiredToken`); without punctuation, in lower case. */
const expiredCode = new RegExp(
  `^(?:invalidtoken|${kind}token(?:has|is)?expired|expired${kind}token)(?:error|exception)?$`,
);
/** A request that has a token of its own may be refused because of that one. */
const tokenName = /token$/i;
const tokenInText = /token["']?\s*[:=]/i;
/** A body inside of more levels is not looked at. */
const maxDepth = 20;

/** @param isExpiredByRecord - Whether `expiredWhen` is true of the body. */
export function findExpiry(
  call: Pick<BuiltCall, "built" | "request">,
  { exchange, body }: Pick<Reply, "exchange" | "body">,
  isExpiredByRecord: boolean,
): Expiry | undefined {
  const { status, headers } = exchange;
  const isByStatus = tokenStatuses.has(status) || hasInvalidToken(headers["www-authenticate"]);
  const isInBody = !isByStatus && (isExpiredByRecord || isRefusedByCode(call, status, body));
  if (!isByStatus && !isInBody) return undefined;
  const isExpiredSuccess = isExpiredByRecord && status >= 200 && status < 300;
  const isSentAgain = call.built.isRead || refusedStatuses.has(status) || isExpiredSuccess;
  return { isInBody, isSentAgain };
}

/** RFC 6750, section 3: `WWW-Authenticate: Bearer error="invalid_token"`. */
function hasInvalidToken(challenge: string | readonly string[] | undefined): boolean {
  if (challenge === undefined) return false;
  return [challenge].flat().some((line) => /\berror\s*=\s*"?invalid_token\b/i.test(line));
}

function isRefusedByCode(
  call: Pick<BuiltCall, "built" | "request">,
  status: number,
  { document }: Reply["body"],
): boolean {
  if (!bodyStatuses.has(status) || document === undefined) return false;
  // AWS writes a namespace before its codes: `com.amazon.coral.service#ExpiredTokenException`.
  const codes = readErrorBody(document).codes.map((code) => squeeze(code.replace(/^.*#/, "")));
  return codes.some((code) => expiredCode.test(code)) && !hasToken(call);
}

/** Whether the request has a parameter, or its body a member, that is named token. */
function hasToken({ built, request }: Pick<BuiltCall, "built" | "request">): boolean {
  const { body, headers } = request;
  const isInQuery = built.query.some(([name]) => tokenName.test(name));
  if (isInQuery || hasTokenMember(headers)) return true;
  return typeof body === "string" ? tokenInText.test(body) : hasTokenMember(body);
}

function hasTokenMember(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > maxDepth) return false;
  return Object.entries(value).some(
    ([name, member]) => tokenName.test(name) || hasTokenMember(member, depth + 1),
  );
}

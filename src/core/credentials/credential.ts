/** The kinds of credential that a caller may give, what is known of one, and which values can be sent. `create-auth-interceptor` puts one on a request. */

import { notConfigured } from "../base/errors.js";
import { isPlainObject } from "../base/input.js";
import type { CallContext } from "../base/runtime.js";
import { suggest } from "../base/suggest.js";
import { quoteText } from "../base/text.js";
import type { ApiSource } from "../record/api-source.js";
import { listBasicSecrets, listHeaderSecrets, Secret } from "../secrets/secret.js";

/**
 * `token` and `apiKey` mean the same. A function that gives one with `expiresAt` (epoch milliseconds) is asked again when that is over; before, calls with
 * an equal context use the same. Without it the function is asked on each call.
 */
export type Credential =
  | { readonly token: string; readonly expiresAt?: number | undefined }
  | { readonly apiKey: string; readonly expiresAt?: number | undefined }
  | { readonly username: string; readonly password: string };

/**
 * A token with a life of its own: asked for on each call.
 *
 * @example
 * const credentials = { shop: { token: () => vault.read("shop"), onUnauthorized: () => vault.renew("shop") } };
 */
export interface TokenProvider {
  /** Gives the token for a call. */
  token(context: CallContext): Promise<string> | string;
  /** Called once when the API reports that this token is not valid any more (401, 419, 440, 498, `invalid_token`); then `token` is asked again and the call is sent once more. */
  onUnauthorized?(context: CallContext): unknown;
}

/** One attempt of a request, as it is sent but for what the signature adds. */
export interface RequestToSign {
  /** GET, POST, PUT, DELETE or PATCH. */
  readonly method: string;
  /** The absolute URL, byte for byte. */
  readonly url: string;
  /** Names in lower case; without `host` and `content-length`, which follow from URL and body. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body; absent without one. */
  readonly body?: Uint8Array;
  /** The SHA-256 of the body in hexadecimal; of no bytes without one. */
  readonly bodySha256: string;
}

/** The additions of a signature to the request. A header takes the place of one that is there. */
export interface RequestSignature {
  /** Headers to add, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters to add, by name. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * A credential that signs each request, such as an HMAC, AWS Signature Version 4 or DPoP. It takes the place of what `authType` does.
 *
 * @example
 * const credentials = {
 *   shop: { sign: ({ url, bodySha256 }) => ({ headers: { "x-signature": hmac(`${url}\n${bodySha256}`) } }) },
 * };
 */
export interface RequestSigner {
  /**
   * Called for each attempt (a retry, a followed redirect, a page, a poll), when nothing else of it changes any more.
   *
   * @param context - Of the call; its `signal` fires when the call is over.
   */
  sign(
    request: RequestToSign,
    context: CallContext,
  ): Promise<RequestSignature | undefined> | RequestSignature | undefined;
}

export function isSigner(given: unknown): given is RequestSigner {
  return (
    typeof given === "object" &&
    given !== null &&
    "sign" in given &&
    typeof given.sign === "function"
  );
}

export type GivenCredential = Credential | TokenProvider | RequestSigner;

/** A credential whose shape fits the source's authType. `owner` names whom it belongs to where it may be another at the next call; absent for one that stays. */
export type UsableCredential = { readonly owner?: string | undefined } & (
  | {
      readonly kind: "token";
      readonly token: string;
      /** Whether `oauth2` or `login` of the record gave it. @default false */
      readonly isIssued?: boolean;
      /** When it is over, in milliseconds since the Unix epoch; absent where that is not known, or its issuer renews it. */
      readonly expiresAtMs?: number;
      /** For a token that the API reported as not valid: gives another; undefined when its provider has no other. */
      readonly renew?: () => Promise<UsableCredential | undefined>;
      /** For a token that the API answered with success: its issuer renews it at once when it is refused later. */
      readonly noteAccepted?: () => void;
    }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | {
      readonly kind: "signer";
      /** Signs one attempt, for the call that it was resolved for. */
      readonly sign: (request: RequestToSign) => Promise<unknown>;
    }
);

/** The facts about a grant; its tokens are not part of it. */
export interface GrantFacts {
  /** The source's slug. */
  readonly source: string;
  /** Seconds until the access token expires; absent when no one reported it. */
  readonly expiresInSeconds?: number;
  /** Whether a new one is obtained without a person. */
  readonly renewable: boolean;
  /** The granted scopes, where the server reported them. */
  readonly scopes?: readonly string[];
  /** The owner's account, where the server reported it. */
  readonly account?: string;
}

/** RFC 9110 section 5.5 allows visible ASCII, space, tab and obs-text; Node sends Latin-1 and strips the rest silently. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

export function isTokenProvider(given: GivenCredential | undefined): given is TokenProvider {
  return (
    typeof given === "object" &&
    given !== null &&
    "token" in given &&
    typeof given.token === "function"
  );
}

/**
 * Checks a credential against the source's authType.
 *
 * @param origin - Where it came from, for the message of an error, which never shows the credential.
 * @throws ApiSourceError `not_configured` with code `malformed_credentials` when it has the wrong shape, is empty, or can't be
 * sent as it is.
 */
export function parseCredential(
  credential: Credential,
  source: ApiSource,
  origin: string,
): Extract<UsableCredential, { kind: "token" }> | Extract<UsableCredential, { kind: "basic" }> {
  // Callers in plain JavaScript give anything: every member is unknown until checked.
  const given: Readonly<Record<string, unknown>> = Object(credential);
  const isBasic = source.api.authType === "basic";
  const problem = findShapeProblem(given, source);
  if (problem !== undefined)
    throw notConfigured(
      "malformed_credentials",
      `The credential of ${source.name} (from ${origin}) can't be used: ${problem}.`,
      "The agent can't change this. The credential has to be corrected where the application sets it.",
    );
  return isBasic
    ? { kind: "basic", username: String(given["username"]), password: String(given["password"]) }
    : { kind: "token", token: String(given["token"] ?? given["apiKey"]) };
}

/** Finds what keeps a credential from being sent. */
function findShapeProblem(
  given: Readonly<Record<string, unknown>>,
  source: ApiSource,
): string | undefined {
  const wrongFunction = findFunctionProblem(given);
  if (wrongFunction !== undefined) return wrongFunction;
  return source.api.authType === "basic"
    ? findBasicProblem(given)
    : findTokenProblem(given, source);
}

/** The members that a credential may have when it is given as data. */
const dataMembers: readonly string[] = ["token", "apiKey", "username", "password", "expiresAt"];

/**
 * Judges a credential that the application gives as data, when a toolkit is made. One that a function returns is judged by
 * `parseCredential` when it is needed, and may have members of its own.
 *
 * @returns what is wrong, without the credential; undefined where it can be sent, and for a function or a signer.
 * @example findDataProblem({ key: "…" }, shop) // '"key" is not a member of a credential; …'
 */
export function findDataProblem(credential: unknown, source: ApiSource): string | undefined {
  // An entry that is absent is looked up in the environment.
  if (credential === undefined || credential === null) return undefined;
  const given: Readonly<Record<string, unknown>> = Object(credential);
  if (typeof given["token"] === "function" || typeof given["sign"] === "function") return undefined;
  if (source.api.authType === undefined)
    return "the record has no `authType`, so that no credential would be sent";
  const unknown = isPlainObject(credential) ? findUnknownMember(credential) : undefined;
  return unknown ?? findShapeProblem(given, source);
}

function findUnknownMember(credential: object): string | undefined {
  const unknown = Object.keys(credential).find((name) => !dataMembers.includes(name));
  if (unknown === undefined) return undefined;
  const nearest = suggest(unknown, dataMembers)?.name;
  const written = nearest === undefined ? "" : `; write \`${nearest}\``;
  return `${quoteText(unknown, 40)} is not a member of a credential${written}`;
}

function findFunctionProblem(given: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = ["sign", "onUnauthorized"].find(
    (name) => !/^(?:function|undefined)$/.test(typeof given[name]),
  );
  return wrong && `\`${wrong}\` is of type ${typeof given[wrong]}; it must be a function`;
}

function findTokenProblem(
  given: Readonly<Record<string, unknown>>,
  { api }: ApiSource,
): string | undefined {
  const token = given["token"] ?? given["apiKey"];
  if (typeof token !== "string")
    return `authType "${api.authType}" takes { token } or { apiKey }, a string`;
  if (token.trim() === "") return "the token is empty; check the variable that it comes from";
  if (api.authType === "query") {
    return token.isWellFormed() ? undefined : "it holds a lone surrogate, which no URL can carry";
  }
  if (!unsendable.test(token)) return undefined;
  return "it holds a line break, a control character, or a character outside Latin-1, which a header can't carry";
}

/** Everything but a colon in the username is fine: the pair is sent as UTF-8 in base64. */
function findBasicProblem({
  username,
  password,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof username !== "string" || typeof password !== "string") {
    return 'authType "basic" takes { username, password }, both strings';
  }
  if (username + password === "") return "the username and the password are empty";
  // RFC 7617 section 2: the receiver could not know where the password begins.
  return username.includes(":")
    ? "the username holds a colon, which basic authentication can't carry"
    : undefined;
}

/**
 * Every value that a credential or a secret can be recognised by. Callers in plain JavaScript give anything; what can't be sent is
 * refused when it is used, with words of its own.
 */
export function listSecrets({ api }: ApiSource, given: unknown): Secret[] {
  if (typeof given === "string") return [new Secret(given)];
  const { token, apiKey, username, password }: Partial<Record<string, unknown>> = {
    ...Object(given),
  };
  if (typeof username === "string" && typeof password === "string")
    return listBasicSecrets(username, password);
  const scheme = (api.authType === "bearer" && api.authScheme) || "";
  const session =
    api.login?.cookie === undefined ? undefined : String(token).replace(/^[^=]*=/, "");
  const texts = [token, apiKey, password, session].filter((text) => typeof text === "string");
  return texts.flatMap((text) => listHeaderSecrets(text, scheme));
}

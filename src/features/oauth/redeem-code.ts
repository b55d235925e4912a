/** Redeems the code of a callback for a grant. */

import { ApiSourceError } from "../../core/base/errors.js";
import { clipText } from "../../core/base/text.js";
import { isCredentialLike } from "../../core/secrets/issued-secrets.js";
import { Secret } from "../../core/secrets/secret.js";
import { findServer, loadOAuth, requestToken, type ServerCall } from "./authorization-server.js";
import type { Callback } from "./consent.js";
import { quoteAnswer, TokenRefused } from "./refusals.js";
import type { OAuthRuntime } from "./resolve-grant.js";
import { describeProblem } from "./token-error.js";
import type { Grant } from "./token-store.js";

/**
 * Gets the tokens for a callback's code.
 *
 * @throws ApiSourceError `access_denied`, or the server's own word, when the person or the server refused.
 */
export async function redeemCode(call: ServerCall, callback: Callback): Promise<Grant> {
  const library = await loadOAuth();
  const { runtime } = call;
  const { oauth2, source } = call.grant;
  const { parameters, verifier, redirectUri } = callback;
  const refuse = (why: string, word = "authorization_failed"): ApiSourceError =>
    new ApiSourceError({
      message: `${source.name} was not authorized: ${clipText(why, 400)}.`,
      category: "unauthorized",
      code: /^[a-z_]+$/.test(word) ? word : "authorization_failed",
      hint: "Have the person begin again at a new `auth_url`, and agree there.",
    });
  const code = parameters.get("code") ?? "";
  // Anyone can write a callback: its refusal does not quote what it brought, which is no secret of others before the server took it.
  const hidden = new Secret(code);
  const quoting: OAuthRuntime = { ...runtime, redactor: () => runtime.redactor().with([hidden]) };
  runtime.hide([verifier]);
  // Only a record that names its issuer has something to compare `iss` with (RFC 9207).
  if (oauth2.issuer === undefined) parameters.delete("iss");
  const server = await findServer(call, "token_endpoint");
  // RFC 6749, section 3.1: no parameter twice.
  if (parameters.getAll("code").length > 1) throw refuse("the callback has more than one `code`");
  try {
    const client = { client_id: oauth2.clientId };
    library.validateAuthResponse(server, client, parameters, parameters.get("state") ?? "");
    const given = await requestToken({ ...call, runtime: quoting }, "authorization_code", {
      code,
      code_verifier: verifier,
      ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    });
    if (isCredentialLike(code)) runtime.hide([code]);
    return given;
  } catch (error) {
    if (error instanceof TokenRefused && error.isDead) throw refuse(error.why);
    if (error instanceof ApiSourceError) throw error;
    if (!(error instanceof library.AuthorizationResponseError))
      throw refuse(`the callback is no answer of its server: ${describeProblem(error)}`);
    const { error: word, error_description: description } = error;
    const quote = (text: string): string => quoteAnswer(quoting, text, Number.POSITIVE_INFINITY);
    throw refuse(quote(description === undefined ? word : `${word}: ${description}`), quote(word));
  }
}

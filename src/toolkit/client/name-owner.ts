/** Knows whose credential a call uses: the user whom the application or LangGraph names. */

import { type ApiSourceError, notConfigured } from "../../core/base/errors.js";
import { type CallContext, findThread, type Host } from "../../core/base/runtime.js";
import { askForUser } from "../../core/call/identify-call.js";
import { writeContext } from "../../core/credentials/living-credentials.js";
import { readScope } from "../../core/store/kept-responses.js";
import type { ClientOptions } from "./client-options.js";

/** The functions that name users. */
interface UserNaming
  extends Pick<ClientOptions, "responseScope" | "userOf">,
    Pick<Host, "application"> {}

/**
 * Creates the function that names whom a value belongs to that a function of the application gave: never the value, which may be another at each call.
 *
 * The run-time context names a caller without a user, but for the conversation: one user has several. Where that is not plain data, the conversation does.
 */
export function createOwnerNamer(
  { responseScope, userOf }: Pick<ClientOptions, "responseScope" | "userOf">,
  { application }: Pick<Host, "application">,
): (context: CallContext) => string | undefined {
  const askForScope = (context: CallContext): readonly string[] | undefined => {
    try {
      return readScope(responseScope?.(context));
    } catch {
      // The error that it threw is reported.
      return undefined;
    }
  };
  return (context) => {
    const scope = askForScope(context);
    const authenticated = findAuthenticatedUser(context);
    const user = askForUser({ userOf, application }, context);
    if (scope !== undefined || authenticated !== "" || user !== undefined)
      return JSON.stringify(["user", scope, authenticated, user]);
    const told = writeContext(context);
    if (told !== undefined) return JSON.stringify(["context", told]);
    const thread = findThread(context);
    return thread && JSON.stringify(["thread", thread]);
  };
}

/**
 * Names the user whose grant a call uses: by the application's own scope or `userOf`, else by the user that LangGraph authenticated; `""`
 * where there is none of them.
 *
 * @param isPersons - Whether a person gives the grant: then an application with one of these functions has to name the user.
 * @throws ApiSourceError `not_configured`, code `unknown_user`, where the application's functions name no one.
 */
export function findUser(
  { responseScope, userOf, application }: UserNaming,
  context: CallContext,
  isPersons: boolean,
): string {
  if (responseScope !== undefined) {
    const names = readScope(responseScope(context));
    if (names === undefined) throw refuseUnknown("responseScope");
    return JSON.stringify(names);
  }
  const named = askForUser({ userOf, application }, context);
  if (named !== undefined) return JSON.stringify([named]);
  // LangGraph may have authenticated a service that calls for many persons.
  if (userOf !== undefined && isPersons) throw refuseUnknown("userOf");
  return findAuthenticatedUser(context);
}

function refuseUnknown(option: "responseScope" | "userOf"): ApiSourceError {
  return notConfigured(
    "unknown_user",
    `The application's ${option} returned no user, so it is not known whose token this call may use.`,
    `The agent can't change this. In the application, ${option} has to return a string for each user.`,
  );
}

/** LangGraph Platform puts the authenticated user into `configurable`. */
function findAuthenticatedUser({ configurable }: CallContext): string {
  const { langgraph_auth_user: user, langgraph_auth_user_id: id } = { ...configurable };
  const identity = (user as { identity?: unknown } | undefined)?.identity;
  const found = [identity, user, id].find((each) => typeof each === "string" && each !== "");
  return found === undefined ? "" : String(found);
}

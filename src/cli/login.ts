/** `login` and `logout`: a person authorizes a source, in a browser or by a code; the grant is kept, or forgotten. */

import { ApiSourceError } from "../core/base/errors.js";
import { systemSleep } from "../core/base/runtime.js";
import { writeDuration } from "../core/base/text.js";
import type { ApiSource } from "../core/record/api-source.js";
import { isLoopbackHost } from "../core/record/base-url.js";
import type { ApiSourceToolkit, GrantFacts } from "../index.js";
import { openBrowser, openCallbackListener } from "./browser.js";
import { askSecret, CommandError, cleanLine, createUsageError, terminal } from "./terminal.js";
import {
  type CommonFlags,
  createCredentialOptions,
  findSource,
  findTokenDirectory,
} from "./workspace.js";

/** @returns 0 when the source is authorized, else 1. */
export async function logIn(
  flags: CommonFlags & { readonly browser?: boolean },
  slug: string,
): Promise<number> {
  const source = await findSource(slug, flags);
  const grant = source.api.oauth2?.grant;
  if (grant !== "authorization_code" && grant !== "device_code")
    throw needsNoLogin(source, '`oauth2` with grant "authorization_code" or "device_code"');
  const show: Show = (url, words) => {
    terminal.note(`${cleanLine(words)}\n  ${cleanLine(url)}`);
    // A device's address is what the server made it.
    if (flags.browser !== false && /^https?:\/\//i.test(url)) openBrowser(url);
  };
  const logInBy = grant === "device_code" ? byCode : byBrowser;
  const facts = await logInBy(source, show).catch((error: unknown) => {
    // A refusal of the person or the server is a failed login, whatever the status behind it.
    if (!(error instanceof ApiSourceError) || terminal.signal.aborted) throw error;
    throw new CommandError(1, `${cleanLine(error.message)}\n${cleanLine(error.hint)}`);
  });
  terminal.printResult(flags, facts, writeFacts(source, facts));
  terminal.note(`Kept in ${findTokenDirectory()}.`);
  return 0;
}

/** @returns 0, whether there was a grant or not. */
export async function logOut(flags: CommonFlags, slug: string): Promise<number> {
  const source = await findSource(slug, flags);
  const { oauth2, login } = source.api;
  if (oauth2 === undefined && login === undefined)
    throw needsNoLogin(source, "`oauth2` and no `login`");
  const forgotten = await (await openToolkit(source)).forgetAuthorization(source.slug);
  const words = forgotten ? `Forgot the grant of ${slug}.` : `There was no grant of ${slug}.`;
  terminal.printResult(flags, { source: slug, forgotten }, words);
  return 0;
}

function needsNoLogin({ name, slug }: ApiSource, what: string): CommandError {
  return createUsageError(
    `${name} needs no login: its record has no ${what}.`,
    `api-sources test ${slug}`,
  );
}

/** @param redirectUri - Where the browser comes back to, in place of the record's. */
async function openToolkit(source: ApiSource, redirectUri?: string): Promise<ApiSourceToolkit> {
  const { ApiSourceToolkit } = await import("../index.js");
  const { oauth2 } = source.api;
  const used =
    oauth2 === undefined || redirectUri === undefined
      ? source
      : { ...source, api: { ...source.api, oauth2: { ...oauth2, redirectUri } } };
  return ApiSourceToolkit.fromSources([used], createCredentialOptions());
}

/** Shows an address, and opens it where a browser is wanted: without one, the person has the address. */
type Show = (url: string, words: string) => void;

async function byBrowser(source: ApiSource, show: Show): Promise<GrantFacts> {
  const redirectUri = source.api.oauth2?.redirectUri ?? "http://127.0.0.1/callback";
  const { protocol, hostname } = new URL(redirectUri);
  const isHere = protocol === "http:" && isLoopbackHost(hostname);
  const listener = isHere ? await openCallbackListener(redirectUri, terminal.signal) : undefined;
  try {
    const toolkit = await openToolkit(source, listener?.redirectUri);
    const { url, expiresAtMs } = await toolkit.startAuthorization(source.slug);
    const complete = (returned: string): Promise<GrantFacts> =>
      toolkit.completeAuthorization(returned, {});
    show(url, `Open this address to authorize ${source.name}:`);
    if (listener !== undefined) {
      const state = new URL(url).searchParams.get("state") ?? "";
      const late = systemSleep(expiresAtMs - Date.now(), terminal.signal);
      return await Promise.race([
        listener.wait(state, complete),
        late.then(() => Promise.reject(tooLate())),
      ]);
    }
    // The browser ends at an address that belongs to the application: the person brings it here.
    if (terminal.canAsk)
      return await complete(
        await askSecret("The address that the browser returned to (not shown while you paste it)"),
      );
    throw createUsageError(
      `The browser returns to ${redirectUri}, where this command can't listen, and without a terminal the address can't be pasted.`,
      'add http://127.0.0.1/callback to the redirect addresses of the application at the API, and write it as "redirectUri"',
    );
  } finally {
    listener?.close();
  }
}

async function byCode(source: ApiSource, show: Show): Promise<GrantFacts> {
  const toolkit = await openToolkit(source);
  const { url, userCode = "", expiresAtMs, poll } = await toolkit.startAuthorization(source.slug);
  show(url, `To authorize ${source.name}, enter the code ${userCode} at:`);
  while (Date.now() < expiresAtMs) {
    await systemSleep(1_000, terminal.signal);
    const facts = await poll?.();
    if (facts !== undefined) return facts;
  }
  throw tooLate();
}

function tooLate(): CommandError {
  return new CommandError(
    1,
    "No one authorized it in time. Run the command again for a new address.",
  );
}

function writeFacts({ name }: ApiSource, facts: GrantFacts): string {
  const { account, scopes, expiresInSeconds, renewable } = facts;
  const lines = [`Authorized ${name}${account === undefined ? "" : ` as ${account}`}.`];
  if (scopes !== undefined) lines.push(`Scopes: ${scopes.join(", ")}`);
  if (expiresInSeconds !== undefined)
    lines.push(
      `The token lives ${writeDuration(expiresInSeconds)}${renewable ? " and is renewed automatically" : ""}.`,
    );
  return lines.map(cleanLine).join("\n");
}

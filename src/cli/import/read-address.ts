/** The URL of a request that somebody sent: an address with a gap in its host is refused, since no record could have it. */

import { invalidInput } from "../../core/base/errors.js";
import { quoteText } from "../../core/base/text.js";

/** A variable of a shell, of PowerShell, of cmd.exe or of a template. */
const variable = /\$\{?[A-Za-z_][\w:]*\}?|%[A-Za-z_]\w*%|\{\{[^{}]*\}\}/;
const leadingVariable = new RegExp(`^(?:https?://)?(?:${variable.source})`, "i");

const scheme = /^[a-z]+:\/\//i;

/** Says that an address has no scheme: what sends it would take http. */
export function noteScheme(address: string): string[] {
  return scheme.test(address) || variable.test(address)
    ? []
    : ["Its address has no scheme: https is written. For http: --base-url http://…"];
}

/**
 * @param address - As it was written; without a scheme it is one of https.
 * @param query - Added to the query of the address; `""` for none.
 * @param baseUrl - Takes the place of a variable that the address begins with.
 * @throws ApiSourceError `invalid_input` without an http(s) URL, and where the host is empty or a variable.
 */
export function readAddress(address: string, query: string, baseUrl: string | undefined): URL {
  const based =
    baseUrl === undefined ? address : address.replace(leadingVariable, baseUrl.replace(/\/$/, ""));
  const url = scheme.test(based) ? based : `https://${based}`;
  const joint = url.includes("?") ? "&" : "?";
  const whole = query === "" ? url : `${url}${joint}${query}`;
  const [, authority = ""] = /^https?:\/\/([^/?#]*)/i.exec(whole) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const [gap] = variable.exec(host) ?? [];
  if (gap !== undefined)
    throw invalidInput(
      `The address begins with ${quoteText(gap, 60)}, a variable whose value is not there.`,
      "Give the base URL: --base-url https://api.example.com; or write the address out.",
    );
  const hasHost = host.replace(/:\d*$/, "") !== "";
  if (hasHost && !host.includes("$") && URL.canParse(whole)) return new URL(whole);
  throw invalidInput(
    "The command has no http(s) URL.",
    "Paste the whole line, such as: curl https://api.example.com/me -H 'Authorization: Bearer …'",
  );
}

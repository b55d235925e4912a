/** Checks an address before a person is sent to it. */

import { notConfigured } from "../../core/base/errors.js";

/**
 * Takes an `auth_url` or `verification_uri`, which may come from a server's metadata: it must be https, or http on a loopback address. A
 * `javascript:` URL in a link of the application would run there.
 *
 * @throws ApiSourceError `not_configured`, code `unsafe_authorization_url`.
 */
export function checkPersonUrl(url: string): string {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isLoopback)) return url;
  throw notConfigured(
    "unsafe_authorization_url",
    "The address where a person authorizes this source is not an https URL.",
    "Correct `api.oauth2` in the record, or the metadata of the authorization server: https, or http on a loopback address.",
  );
}

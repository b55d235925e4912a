/** The fifth part of the table of causes: a redirect that was not followed, by the reason. It ends with a row for every other one. */

import type { CauseTable } from "./cause.js";

/** Where a redirect leads, by the reason why it is not followed. */
export const places: Readonly<Record<string, string>> = {
  other_origin: "which is another host",
  outside_base_path: "which is outside the base path",
  http_to_https: "which is the HTTPS address of the same host",
  https_to_http: "which is not encrypted",
  forbidden: "which this source's rules do not allow",
  malformed: "which is malformed",
  loop: "which this call already requested",
  too_many: "after five redirects already",
  download_not_encrypted: "which is not encrypted",
  download_secret: "whose address repeats a secret of this source",
  second_host: "which a download may not lead to",
};

const notFollowed = {
  verdict: "redirected",
  category: "refused_by_policy",
  message:
    "{request} answered {status}, a redirect[ to {target},] {place}. It was not followed[: {why}].",
} as const;
const elsewhere = {
  ...notFollowed,
  hint: "That usually means a wrong base URL (then set it to the address shown), a path that does not exist, or a login page because the credential is missing or not accepted.",
  fix: 'That usually means a wrong base URL (`api.baseUrl`: then set it to the address shown), a path that does not exist (`api.testEndpoint`), or a login page because the credential[ in {origin}] is missing or not accepted.[ If the API keeps its files at that host, add "{downloadHost}" to `api.network.downloadHosts`.]',
} as const;

export const redirectCauses: CauseTable = {
  base_elsewhere: {
    ...elsewhere,
    reader: "person",
    when: { code: /^(?:other_origin|outside_base_path)$/, known: ["guessedBase"] },
    fix: 'Set "baseUrl": "{guessedBase}" under `api`. Only do so if you trust that host with the credential.',
    changes: [{ field: "api.baseUrl", value: "{guessedBase}" }],
  },
  login_elsewhere: {
    ...notFollowed,
    category: "unauthorized",
    when: { code: /^(?:other_origin|outside_base_path)$/, known: ["isLogin"] },
    hint: "The address looks like that of a login page: then the session or the credential is missing, over, or not accepted. The agent can't change this: tell the user.",
    fix: "The address looks like that of a login page: then the credential[ in {origin}] is missing, over, or not accepted.",
  },
  download_refused: {
    ...elsewhere,
    when: { code: /^other_origin$/, known: ["downloadHost"] },
    hint: 'If the API keeps its files at that host, add "{downloadHost}" to network.downloadHosts in the source\'s record: a GET is then followed there once, without the credential. Otherwise check the path and the credential.',
    changes: [{ field: "api.network.downloadHosts", value: ["{downloadHost}"] }],
  },
  elsewhere: { ...elsewhere, when: { code: /^(?:other_origin|outside_base_path)$/ } },
  https_required: {
    ...notFollowed,
    when: { code: /^http_to_https$/ },
    hint: "The API requires HTTPS: set baseUrl to the same URL with https://.",
    fix: 'The API requires HTTPS[: set "baseUrl": "{httpsBase}" under `api`].',
    changes: [{ field: "api.baseUrl", value: "{httpsBase}" }],
  },
  // RFC 9110, section 15.4.4: the address of a 303 is that of the result.
  write_redirected: {
    ...notFollowed,
    when: { code: /^write$/ },
    message:
      "The {method} was received and answered with {status}, a redirect[ to {target}]. A write is not sent to another address.",
    hint: "Do not send it again as it is. GET {pathOrResource} to see whether it was carried out.[ If it was not, send the {method} to {pathInstead} instead.]",
    fix: "",
  },
  // A resumable upload is answered 308 after each part, with the bytes that arrived in `Range`.
  no_target: {
    ...notFollowed,
    when: { code: /^no_target$/ },
    category: "unexpected_content",
    message:
      "{request} answered {status} without a `Location`, so there is no address to go on to.",
    hint: "The API's documentation says what this status means: a 308 with the header `range` means that these bytes of an upload have arrived. After a write, do not send it again before a GET shows whether it was carried out.",
    fix: "Check `api.testEndpoint`: use a path that answers without a redirect.",
  },
  loop: {
    ...notFollowed,
    when: { code: /^(?:loop|too_many)$/ },
    hint: "The redirects form a loop. Check the path (an extra or a missing slash at its end) and the credential.",
    fix: "The redirects form a loop. Check `api.testEndpoint` (an extra or a missing slash at its end) and the credential[ in {origin}].",
  },
  unusable: {
    ...notFollowed,
    hint: "Use a path that answers without a redirect, or the address shown where it is one of this source.",
    fix: "Check `api.testEndpoint`: use a path that answers without a redirect, or the address shown where it is the right one.",
  },
};

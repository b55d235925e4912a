/** The fifth part of the table of causes: a redirect that was not followed, or that ended at a web page, by the reason. It ends with a row for every other one. */

import type { CauseRow } from "./cause.js";

/** Every text of a redirect begins so; each row names where it leads. */
const notFollowed = (where: string): string =>
  `{request} answered {status}, a redirect[ to {target},] ${where}. It was not followed[: {why}].`;
const redirected = { verdict: "redirected", category: "refused_by_policy" } as const;
const website = "APIs are often at https://api.<domain> or under /api.";
const elsewhere = {
  ...redirected,
  hint: "That usually means a wrong base URL (then set it to the address shown), a path that does not exist, or a login page because the credential is missing or not accepted.",
  fix: 'That usually means a wrong base URL (`api.baseUrl`: then set it to the address shown), a path that does not exist (`api.testEndpoint`), or a login page because the credential[ in {origin}] is missing or not accepted.[ If the API keeps its files at that host, add "{downloadHost}" to `api.network.downloadHosts`.]',
} as const;
const circle = {
  ...redirected,
  hint: "The redirects form a loop. Check the path (an extra or a missing slash at its end) and the credential.",
  fix: "The redirects form a loop. Check `api.testEndpoint` (an extra or a missing slash at its end) and the credential[ in {origin}].",
} as const;
const unusable = {
  ...redirected,
  hint: "The server's Location header can't be followed. Check the path, or use the address shown where it is the right one.",
  fix: "The server's Location header can't be followed. Check `api.testEndpoint`, or use the address shown where it is the right one.",
} as const;
const otherHost = notFollowed("which is another host");
const otherPath = notFollowed("which is outside the base path");
const write = {
  ...redirected,
  message:
    "The {method} was received and answered with {status}, a redirect[ to {target}]. A write is not sent to another address.",
  fix: "",
} as const;

export const redirectCauses: readonly CauseRow[] = [
  {
    name: "redirect_to_login",
    ...redirected,
    when: { known: ["loginPage"] },
    message:
      '{request} answered {status}, a redirect to a page with a password field, {target}, which is a web page[ ("{title}")].',
    hint: "It may be a login page: the credential is missing, or was not accepted. Don't repeat the call; tell the user to check it.",
    fix: `Probably {loginMeaning} Otherwise \`api.baseUrl\` may be that of the website: ${website}`,
  },
  {
    name: "redirect_to_page",
    ...redirected,
    when: { code: /^followed$/ },
    message: '{request} answered {status}, a redirect to {target}, which is a web page[ ("{title}")].',
    fix: `Check the base URL (\`api.baseUrl\`), which may be that of the website: ${website}`,
  },
  ...([/^other_origin$/, /^outside_base_path$/] as const).map(
    (code): CauseRow => ({
      name: "base_elsewhere",
      ...elsewhere,
      reader: "person",
      when: { code, known: ["guessedBase"] },
      message: code.test("other_origin") ? otherHost : otherPath,
      fix: 'Set "baseUrl": "{guessedBase}" under `api`. Only do so if you trust that host with the credential.',
      changes: [{ field: "api.baseUrl", value: "{guessedBase}" }],
    }),
  ),
  {
    name: "download_by_address",
    ...elsewhere,
    reader: "model",
    when: { code: /^other_origin$/, known: ["addressOnly"] },
    message: otherHost,
    hint: "A download may lead to another host only by its name, and this is an address. Use another way to the file.",
  },
  {
    name: "download_refused",
    ...elsewhere,
    when: { code: /^other_origin$/, known: ["downloadHost"] },
    message: otherHost,
    hint: 'If the API keeps its files at that host, add "{downloadHost}" to network.downloadHosts in the source\'s record: a GET is then followed there once, without the credential. Otherwise check the path and the credential.',
    changes: [{ field: "api.network.downloadHosts", value: ["{downloadHost}"] }],
  },
  { name: "other_host", ...elsewhere, when: { code: /^other_origin$/ }, message: otherHost },
  { name: "outside_base", ...elsewhere, when: { code: /^outside_base_path$/ }, message: otherPath },
  {
    name: "https_required",
    ...redirected,
    when: { code: /^http_to_https$/ },
    message: notFollowed("which is the HTTPS address of the same host"),
    hint: "The API requires HTTPS: set baseUrl to the same URL with https://.",
    fix: 'The API requires HTTPS[: set "baseUrl": "{httpsBase}" under `api`].',
    changes: [{ field: "api.baseUrl", value: "{httpsBase}" }],
  },
  {
    name: "unencrypted",
    ...redirected,
    when: { code: /^https_to_http$/ },
    message: notFollowed("which is not encrypted"),
    hint: "Following it would send the credential unencrypted. Check the path; the API itself is misconfigured.",
    fix: "Following it would send the credential[ in {origin}] unencrypted. Check `api.testEndpoint`; the API itself is misconfigured.",
  },
  {
    name: "not_allowed",
    ...redirected,
    when: { code: /^forbidden$/ },
    message: notFollowed("which this source's rules do not allow"),
    hint: "Use a path that answers without a redirect.",
    fix: "Use a path that answers without a redirect.",
  },
  {
    // RFC 9110, section 15.4.4: the address of a 303 is that of the result.
    name: "write_redirected_to_result",
    ...write,
    when: { code: /^write$/, status: [303] },
    hint: "Do not send it again as it is. GET {pathOrResource} to see whether it was carried out.",
  },
  {
    name: "write_redirected",
    ...write,
    when: { code: /^write$/ },
    hint: "Do not send it again as it is. GET {pathOrResource} to see whether it was carried out.[ If it was not, send the {method} to {path} instead.]",
  },
  {
    name: "malformed",
    ...unusable,
    when: { code: /^malformed$/ },
    message: notFollowed("which is malformed"),
  },
  {
    name: "loop",
    ...circle,
    when: { code: /^loop$/ },
    message: notFollowed("which this call already requested"),
  },
  {
    name: "too_many",
    ...circle,
    when: { code: /^too_many$/ },
    message: notFollowed("after five redirects already"),
  },
  {
    name: "download_unencrypted",
    ...redirected,
    when: { code: /^download_not_encrypted$/ },
    message: notFollowed("which is not encrypted"),
    hint: "The host is one of network.downloadHosts, but a download is only followed by https.",
    fix: "The host is one of network.downloadHosts, but a download is only followed by https.",
  },
  {
    name: "download_of_secret",
    ...redirected,
    when: { code: /^download_secret$/ },
    message: notFollowed("whose address repeats a secret of this source"),
    hint: "The host is one of network.downloadHosts, but it may not receive a secret. Use another way to the file.",
    fix: "The host is one of network.downloadHosts, but it may not receive a secret. Use another way to the file.",
  },
  {
    name: "second_host",
    ...redirected,
    when: { code: /^second_host$/ },
    message: notFollowed("which a download may not lead to"),
    hint: "A redirect to a host of network.downloadHosts is followed once. Use another way to the file.",
    fix: "A redirect to a host of network.downloadHosts is followed once. Use another way to the file.",
  },
  { name: "no_target", ...unusable, when: { code: /^no_target$/ }, message: notFollowed("without a target") },
  { name: "unsupported", ...unusable, message: notFollowed("with a status that is not followed") },
];

/** A web page where an API's answer was expected: a login page, a firewall's, or simply a website. */

import { clipText } from "../text.js";
import { describeOrigin } from "./describe-credential.js";
import type { Finding } from "./finding.js";
import { type Reading, toFinding, withoutQuery } from "./reading.js";

export function diagnosePage(reading: Reading): Finding {
  const { page, status, url, error, source, origin } = reading;
  const answered = `GET ${withoutQuery(url)} answered ${status}`;
  if (page === undefined) {
    return toFinding(
      "not_an_api",
      `${answered}, but the answer can't be read: ${clipText(error.message, 300)}`,
      "Test again; if it stays so, check `api.testEndpoint`, or ask whoever runs the API (a proxy in between may spoil the answer).",
    );
  }
  const title = page.message === undefined ? "" : ` ("${clipText(page.message, 120)}")`;
  switch (page.kind) {
    case "login":
      return toFinding(
        "not_an_api",
        `${answered} with a login page${title}, not with an API's answer.`,
        `Set \`api.baseUrl\` to the API's own address (often https://api.<domain> or a path such as /api).${
          source.api.authType === undefined
            ? " If the address is right, the API wants a credential: set `api.authType`."
            : ` If the address is right, the credential in ${describeOrigin(source, origin)} was not accepted, or not seen: check it and \`api.authType\`.`
        }`,
      );
    case "captive_portal":
      return toFinding(
        "not_an_api",
        `${answered} with the page of a network${title}: this machine is not signed in to it, or a proxy answers in place of the API.`,
        "Sign in to the network with a browser, or set `api.network.proxy`, and test again.",
      );
    case "block":
      return toFinding(
        "not_an_api",
        `${answered} with the page of a firewall or bot protection${title}, not with an API's answer.`,
        'Add "headers": { "User-Agent": "my-app/1.0 (me@my-domain)" } under `api`, which is sometimes enough; otherwise ask the provider to let this machine\'s address pass, or use the API\'s own host in `api.baseUrl`.',
      );
    case "page":
      return toFinding(
        "not_an_api",
        `${answered} with a web page${title}, not with an API's answer.`,
        '`api.baseUrl` or `api.testEndpoint` is probably that of the website: set `api.baseUrl` to the API\'s own address (often https://api.<domain> or a path such as /api). If the API answers in HTML by default, add "headers": { "Accept": "application/json" } under `api`.',
      );
  }
}

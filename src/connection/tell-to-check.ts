/** How to check a credential that is sent as the API asks for it, or may be. */

import { describeOrigin } from "./describe-credential.js";
import { findCredentialFlaws } from "./find-credential-flaws.js";
import type { Subject } from "./finding.js";

/** Such as "SHOP_TOKEN: the credential must be whole, …"; follows a verb. */
export function tellToCheck({ source, credential, origin, url }: Subject): string {
  const { host } = new URL(url);
  const guess = findCredentialFlaws(source, credential).find(({ isGuess }) => isGuess === true);
  const possibility = guess === undefined ? "" : ` It ${guess.what}: if it is that, ${guess.fix}`;
  return `${describeOrigin(source, origin)}: the credential must be whole, neither expired nor revoked, and meant for ${host} (test and live keys differ).${possibility}`;
}

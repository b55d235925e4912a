/** The vocabulary of credential names: which headers and parameters carry a secret. */

/** Words of a name that carries a secret, in lower case: of a header and of a parameter. */
const secretWords =
  /^(?:credentials?|crumb|csrf|hmac|jwt|otp|pass|passcode|passphrase|pat|pwd|sas|session|sid|sig|sign|signature|token|xsrf)$|^[a-z]*sess(?:ion)?id|^auth(?!or(?!iz))|apikey|secret|passw/;
/** Words before `key` or `id` in a parameter's name that make it a secret; a header that ends with `key` is always one. */
const keyOwner =
  /^(?:access|api|app|application|auth|client|license|private|secret|subscription|user)$/;
/** A token of these leads to the next rows. */
const pagingWords =
  /^(?:page|paging|next|previous|prev|continuation|sync|skip|cursor|resume|start|delta)$/;

/** `X-Session-Id`, `accessToken`, `?sig=`: judged by the words of the name, however it is written. */
export function hasSecretName(name: string, place: "header" | "query"): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "" && word !== "x");
  if (words.some((word) => pagingWords.test(word))) return false;
  const [last = "", before = ""] = words.toReversed();
  if (words.some((word) => secretWords.test(word)) || last.endsWith("token")) return true;
  if (last === "key") return place === "header" || words.length === 1 || keyOwner.test(before);
  if (last === "id")
    return /^(?:app|application)$/.test(before) || (before === "client" && place === "query");
  // Azure Functions calls its key so.
  if (last === "code") return place === "query" && words.length === 1;
  return /^(?:app|user|access|auth|license)key$|^appid$/.test(last);
}

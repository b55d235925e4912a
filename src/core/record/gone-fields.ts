/** The fields that records had and no longer have: each by its path, with what took its place. A record with one is loaded, with a warning. */

export const goneFields: ReadonlyMap<string, string> = new Map([
  [
    "api.preflight",
    "a misspelt name is answered unsent once, and after a failure the hint names what the API's document knows",
  ],
]);

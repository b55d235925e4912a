/** What a caller may give as a credential. `token` and `apiKey` mean the same. */

export type Credential =
  | { readonly token: string }
  | { readonly apiKey: string }
  | { readonly username: string; readonly password: string };

/** Rules between the fields of a record that its type can say: which field another one needs, and which exclude each other. */

export interface Notes {
  /** Free for your own notes. */
  readonly [note: `x-${string}`]: unknown;
}

/** The place of the credential in a request: a header or a parameter has a name. */
export type CredentialPlace =
  | { readonly authType?: "bearer" | "basic" | undefined }
  | { readonly authType: "header"; readonly headerName: string }
  | { readonly authType: "query"; readonly queryParam: string };

/** The next page is requested in one way. */
export type PageRequest =
  | { readonly next: string; readonly page?: undefined; readonly offset?: undefined }
  | { readonly page: string; readonly next?: undefined; readonly offset?: undefined }
  | { readonly offset: string; readonly next?: undefined; readonly page?: undefined };

export declare const entryPoints: Readonly<
  Record<string, { readonly name: string; readonly source: string }>
>;

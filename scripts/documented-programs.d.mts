/** The text of each program of a page, by the name of its file as TypeScript. */
export function readPrograms(page: string): Record<string, string>;

/** The programs of all pages that need LangChain and this package alone. */
export function readOwnPrograms(): Record<string, string>;

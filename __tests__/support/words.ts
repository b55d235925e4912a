/** The words of a text that may have several lines: rows of a table that are one word each. */
export const words = (text: string): string[] => text.trim().split(/[ \n]+/);

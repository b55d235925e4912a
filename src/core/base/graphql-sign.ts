/** The sign of a GraphQL write: a word that each one has. */

export const writeWord = /mutation|subscription/;

/** Whether a call of a model shows the sign, before its members are read; true also where it cannot be looked at. */
export function showsGraphqlWrite(call: unknown): boolean {
  try {
    const text = JSON.stringify(call);
    const decoded = text.replace(/%([2-7][\da-f])/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return writeWord.test(decoded);
  } catch {
    return true;
  }
}

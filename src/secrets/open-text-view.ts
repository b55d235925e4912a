/** Reads a text as it stands. */

import type { View } from "./view.js";

export function openTextView(text: string): View {
  const length = text.length;
  return {
    at: (position) => (position < 0 || position >= length ? -1 : text.charCodeAt(position)),
    span: (from, to) => ({ from, to }),
  };
}

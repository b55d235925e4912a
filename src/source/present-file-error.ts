/** Says in a person's words why a file or directory can't be read. */

import type { Flaw } from "./flaw.js";

export function presentFileError(error: unknown): Flaw {
  const code =
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown error";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return {
        message: "does not exist",
        fix: `Check the path; a relative one is looked up from the working directory (${process.cwd()}).`,
      };
    case "EACCES":
    case "EPERM":
      return { message: "may not be read by this process", fix: "Give it permission to read the file." };
    case "EISDIR":
      return { message: "is a directory", fix: "Name a file, or load the directory as a whole." };
    default:
      return { message: `can't be read (${code})`, fix: "Check that it is a readable file or directory." };
  }
}

/** Many sources as a model reads them in the description of one tool: a line for each. */

import { clipText } from "../../core/base/text.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { sendsCredential } from "../../core/record/used-names.js";

/** The longest tagline of a line, in characters. */
const maxTaglineCharacters = 80;

/** @param answers - As `ApiSourceToolkit.getTools` takes it. */
export function describeSources(
  sources: readonly ApiSource[],
  answers: "view" | "whole" = "view",
): string {
  const shape =
    answers === "view"
      ? "Answers have status and data; error names what to change; next is the next input."
      : "Answers are JSON text with status and data; data is whole, a list with all its pages (fewer with pages); error names what to change.";
  const added = sources.some(sendsCredential) ? "Authentication is added. " : "";
  const head = `Calls HTTP APIs. ${added}${shape}`;
  return [head, ...sources.map(describeLine)].join("\n");
}

function describeLine({ slug, name, tagline, api }: ApiSource): string {
  const isReadOnly = api.methods.join() === "GET";
  const about = tagline
    ? clipText(tagline.replace(/\.$/, ""), maxTaglineCharacters)
    : nameBeside(slug, name);
  const parts = [about, clipText(api.baseUrl, 100), isReadOnly ? "GET only" : ""];
  return `${slug}: ${parts.filter(Boolean).join(", ")}`;
}

/** A name that differs from the slug only in its case says nothing more. */
function nameBeside(slug: string, name: string): string {
  return name.toLowerCase() === slug.toLowerCase() ? "" : name;
}

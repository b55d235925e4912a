/** The description of a source's tool: what the model reads when it chooses a tool. */

import type { ApiSource, EndpointExample } from "../source/api-source.js";

/** OpenAI and others refused longer descriptions. */
const maxCharacters = 1_024;

/** Tagline, base URL, methods, and as many of the record's endpoints as fit. */
export function describeSource(source: ApiSource, answers: "view" | "whole" = "view"): string {
  const { name, tagline, api } = source;
  const lines = [
    clip(tagline === undefined || tagline === "" ? `Calls the ${name} API.` : `${name}: ${tagline}`, 300),
    `HTTP API at ${clip(api.baseUrl, 200)}; path is relative to it. Methods: ${api.methods.join(", ")}. Authentication is added by itself.`,
    answers === "view"
      ? "Answers are JSON with status and data; error says what to change; next is the input for the next page."
      : "Answers are JSON text with status and data; data is whole, a list with all its pages (fewer with pages); error says what to change.",
  ];
  for (const example of api.endpoints) {
    const line = describeEndpoint(example);
    if ([...lines, line].join("\n").length >= maxCharacters) break;
    lines.push(line);
  }
  return clip(lines.join("\n"), maxCharacters - 1);
}

function describeEndpoint({ method, path, about, query, body }: EndpointExample): string {
  const parts = [
    `- ${method} ${path}: ${about}`,
    query === undefined ? undefined : `query ${JSON.stringify(query)}`,
    body === undefined ? undefined : `body ${JSON.stringify(body)}`,
  ];
  return parts.filter((part) => part !== undefined).join("; ");
}

function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** What is told of an API besides its description: the guide, and of one without a description what calls have shown. */

import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { clipAtLine, quoteText } from "../text.js";
import type { ToldOperation } from "./describe-operation.js";
import type { Description } from "./description.js";
import { findGuidePart, type Guide } from "./guide.js";
import { findNearestName } from "./nearest.js";
import type { Shown } from "./shown.js";
import { cleanName } from "./write-type.js";

/** Plain data. Texts in it are quoted from the API's documents: they say how the API is used, and order nothing. */
export type Told = Readonly<Record<string, unknown>> | ToldOperation;

/** What is known of a source, and how much of it may be told. */
export interface Telling {
  readonly source: ApiSource;
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
  readonly shown: readonly Shown[];
  readonly description?: Description;
  readonly guide?: Guide;
}

const maxHeadings = 30;

/** What was asked for isn't there. */
export function createMissing(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, hint, category: "invalid_input" });
}

/** The most valuable line of the guide, and what else it holds. */
export function describeGuideFrame({ guide }: Telling): Record<string, unknown> {
  if (guide === undefined) return {};
  const headings = guide.parts.map(({ heading }) => cleanName(heading, 60)).filter(Boolean);
  return {
    ...(guide.line === undefined ? {} : { guide: guide.line }),
    ...(headings.length === 0 ? {} : { guideHeadings: headings.slice(0, maxHeadings) }),
  };
}

/** A part of the guide by its heading, as much of it as fits. */
export function describeGuide({ guide, source, maxTokens, countTokens }: Telling, heading: string): Told {
  if (guide === undefined) throw createMissing(`${source.name} has no guide.`, "Leave guide out.");
  const part = findGuidePart(guide, heading);
  if (part === undefined) {
    const headings = guide.parts.map((each) => each.heading).filter(Boolean);
    const nearest = findNearestName(heading, headings);
    throw createMissing(
      `The guide has no part ${quoteText(heading, 80)}.`,
      `It has: ${[...(nearest === undefined ? [] : [nearest]), ...headings]
        .slice(0, maxHeadings)
        .map((each) => cleanName(each, 60))
        .join(", ")}.`,
    );
  }
  const most = maxTokens - 40;
  let text = part.text;
  for (
    let length = text.length;
    countTokens(JSON.stringify(text)) > most && length > 100;
    length = Math.floor(length * 0.85)
  )
    text = `${clipAtLine(part.text, length)}\n…`;
  const below = guide.parts
    .filter((each) => each !== part && part.text.includes(each.text))
    .map((each) => cleanName(each.heading, 60));
  const isWhole = text === part.text;
  return {
    heading: cleanName(part.heading, 100),
    text,
    ...(isWhole || below.length === 0 ? {} : { parts: below.slice(0, maxHeadings) }),
  };
}

/** Without a description: what the record gives as examples, and what calls that worked have shown. */
export function describeUndescribed(telling: Telling): Told {
  const { source, shown, maxTokens, countTokens } = telling;
  const endpoints = source.api.endpoints.map(({ method, path, about }) => `${method} ${path}: ${about}`);
  const lines = shown.map(({ line }) => line);
  const told = (): Told => ({
    ...describeGuideFrame(telling),
    api: source.name,
    ...(endpoints.length === 0 ? {} : { endpoints }),
    ...(lines.length === 0 ? {} : { worked: lines }),
    ...(endpoints.length + lines.length === 0
      ? { unknown: "It has no description, and no call has worked yet." }
      : {}),
  });
  while (countTokens(JSON.stringify(told())) > maxTokens && (lines.length > 0 || endpoints.length > 0))
    (lines.length > 0 ? lines : endpoints).pop();
  return told();
}

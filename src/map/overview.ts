/** What a tool's description says of an API: how many operations it has, and on what. */

import type { Knowledge } from "./knowledge.js";
import { listResources } from "./path-tree.js";

export interface Overview {
  /** Absent where only a guide is there. */
  readonly operations?: number;
  /** The main resources, the largest first. */
  readonly resources: readonly string[];
}

const maxResources = 12;

export function readOverview({ description }: Knowledge): Overview {
  if (description === undefined) return { resources: [] };
  const { listed } = description;
  return { operations: listed.length, resources: listResources(listed, maxResources) };
}

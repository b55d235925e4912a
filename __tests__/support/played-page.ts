/** A page whose commands are typed one after the other, as a reader does: what they print is what the page shows. */

import { readFile, writeFile } from "node:fs/promises";
import { type CodeBlock, readBlocks } from "./documents.js";

/** Pages that a test of their own plays. */
export const playedPages: readonly string[] = ["docs/tutorial.md", "docs/web-service.md"];

export interface PlayedBlock {
  readonly shown: string;
  readonly printed: string;
}

/**
 * Runs each block of shell lines, and pairs its output with the block of text after it. `UPDATE_DOCS=1` writes the outputs into the page.
 *
 * @param type - runs the lines of a block, and gives what a terminal shows of them, the same in each run
 */
export async function playPage(
  page: string,
  type: (lines: string) => Promise<string>,
): Promise<PlayedBlock[]> {
  const blocks = readBlocks(page);
  const played: (PlayedBlock & { block: CodeBlock })[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.language !== "sh" || /^npm |npm run /m.test(block.text)) continue;
    const printed = await type(block.text);
    const next = blocks[index + 1];
    if (next?.language === "text") played.push({ shown: next.text, printed, block: next });
  }
  if (process.env["UPDATE_DOCS"] !== undefined) await write(page, played);
  return played.map(({ shown, printed }) => ({ shown, printed }));
}

async function write(
  page: string,
  played: readonly (PlayedBlock & { block: CodeBlock })[],
): Promise<void> {
  const lines = (await readFile(page, "utf8")).split("\n");
  // From the end, so that earlier blocks stay at their lines.
  for (const { shown, printed, block } of [...played].reverse())
    lines.splice(block.line, shown.split("\n").length - 1, ...printed.trimEnd().split("\n"));
  await writeFile(page, lines.join("\n"));
}

/** `inspect`: a page on this machine that shows calls. */

import { joinSourceClient, shareClientRuntime } from "../client/create-source-client.js";
import { createInspector } from "../inspector/create-inspector.js";
import { noteBroken } from "./list.js";
import { openBrowser } from "./open-browser.js";
import type { Terminal } from "./terminal.js";
import { type CommonFlags, createCredentialOptions, loadEnvironment, openDirectory } from "./workspace.js";

export interface InspectFlags extends CommonFlags {
  readonly journal?: string;
  readonly approve?: boolean;
  readonly open?: boolean;
}

/** Serves the page until Ctrl-C. A record that is wrong is reported on stderr, and the others are shown. @returns 0 */
export async function inspectCalls(flags: InspectFlags, terminal: Terminal): Promise<number> {
  const directory = await openDirectory(flags);
  loadEnvironment(flags);
  const sources = noteBroken(await directory.list(), terminal);
  const { journal, approve } = flags;
  const inspector = createInspector({ journal, approve, calls: true });
  const { approver, onCall } = inspector;
  const options = { ...createCredentialOptions(), approve: "writes", approver, onCall } as const;
  // As a toolkit holds them, without the time that importing LangChain takes.
  const shared = shareClientRuntime(sources, options);
  const clients = sources.map((source) => joinSourceClient(source, shared));
  const page = await inspector.start({ listClients: () => clients, openRuntime: () => shared.open() });
  terminal.printResult(flags, { url: page.url }, page.url);
  terminal.note("Everyone who has this address can see the page. Ctrl-C closes it.");
  if (flags.open === true) openBrowser(page.url);
  if (!terminal.signal.aborted)
    await new Promise<void>((resolve) => terminal.signal.addEventListener("abort", () => resolve()));
  await page.close();
  return 0;
}

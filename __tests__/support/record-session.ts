/** The session of docs/cli.md: from nothing to a tested source, typed into a pseudo-terminal. */

import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ShopServer, shopCredentials } from "../../examples/shop-server.js";
import { type CommandLine, createCommandLine } from "./command-line.js";
import { readBlocks } from "./documents.js";
import { renderScreen } from "./render-screen.js";

const page = "docs/cli.md";
const enter = "\r";
const down = "\u001b[B";
/** As many digits as a free port mostly has: the columns of a table stay where they are. */
const shownPort = "46200";

/** Whether this machine can open a pseudo-terminal for a test. */
const hasTerminal: boolean =
  process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0;

type Typed = readonly (readonly [expected: string, typed: string])[];

/** The command lines with what the terminal shows; what differs between two runs is replaced. On a machine without a terminal what the page has. */
export async function recordSession(shop: ShopServer): Promise<string> {
  if (!hasTerminal)
    return (
      readBlocks(page)
        .find(({ run }) => run === "cli-session")
        ?.text.trimEnd() ?? ""
    );
  const command = await createCommandLine("cli-session");
  try {
    return await record(command, shop);
  } finally {
    await command.close();
  }
}

async function record(command: CommandLine, shop: ShopServer): Promise<string> {
  const shown: string[] = [];
  const steady = (text: string): string =>
    text
      .replaceAll(command.cwd, "/home/ada/shop")
      .replaceAll(`:${shop.port}`, `:${shownPort}`)
      .replaceAll(/\d+ ms +/g, "31 ms  ")
      .replaceAll(/TIME +/g, "TIME   ");
  const type = async (args: readonly string[], typed: Typed = []): Promise<void> => {
    const line = args.map((word) => (/[^\w./:=-]/.test(word) ? `'${word}'` : word)).join(" ");
    const { raw } = await command.drive(args, typed);
    shown.push(steady(`$ api-sources ${line}\n${renderScreen(raw)}`).trimEnd());
  };
  await type(
    ["add"],
    [
      ["Base URL", `${shop.url}/header${enter}`],
      ["Name", `Shop orders${enter}`],
      ["How is the credential sent?", down + enter],
      ["Header of the key", enter],
      ["Test endpoint", enter],
      ["Token or key of Shop orders", `a-key-from-elsewhere${enter}`],
      ["What now?", enter],
      ["Token or key of Shop orders", shopCredentials.header + enter],
    ],
  );
  const curl = `curl '${shop.url}/query/me?api_key=${shopCredentials.query}' -H 'Accept: application/json'\n`;
  await writeFile(join(command.cwd, "line.txt"), curl);
  await type(["add", "--from", "line.txt", "--name", "Shop reports", "--yes"]);
  await type(["list"]);
  await type(["set", "shop_orders", "--methods", "GET", "--tagline", "Orders of the shop"]);
  await type(["test", "shop_orders", "shop_reports"]);
  const select = "orders[].{number: number, total: total}";
  await type(["call", "shop_orders", "GET", "/orders", "--query", "limit=3", "--select", select]);
  await type(
    ["remove", "shop_reports"],
    [
      ["Remove shop_reports", "y"],
      ["Drop its credential", "y"],
    ],
  );
  const text = shown.join("\n\n");
  const secrets = [shopCredentials.header, shopCredentials.query, "a-key-from-elsewhere"];
  if (secrets.some((secret) => text.includes(secret))) throw new Error("The session shows a secret.");
  return text;
}

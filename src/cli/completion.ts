/** `completion`: a line for each shell that asks this command for its words: commands, flags, and the names of sources. */

import type { Command } from "commander";
import { terminal } from "./terminal.js";
import { type CommonFlags, openDirectory } from "./workspace.js";

const ask = "api-sources completion words";
const scripts: Readonly<Record<string, string>> = {
  bash: `_api_sources() { COMPREPLY=($(compgen -W "$(${ask} "\${COMP_WORDS[1]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _api_sources api-sources`,
  zsh: `#compdef api-sources
_api_sources() { compadd -- \${(f)"$(${ask} "$words[2]" 2>/dev/null)"} }
compdef _api_sources api-sources`,
  fish: `complete -c api-sources -a '(${ask} (commandline -opc)[2] 2>/dev/null)'`,
};

/** Prints the script of a shell; with `words` what may follow a command, or every command. */
export async function printCompletion(
  flags: CommonFlags,
  shell: string,
  word: string | undefined,
  program: Command,
): Promise<number> {
  terminal.print(scripts[shell] ?? (await listWords(flags, word, program)).join("\n"));
  return 0;
}

async function listWords(
  flags: CommonFlags,
  word: string | undefined,
  program: Command,
): Promise<string[]> {
  const command = program.commands.find((each) => each.name() === word);
  if (command === undefined) return program.commands.map((each) => each.name());
  const takesSlug = /^slug/.test(command.registeredArguments[0]?.name() ?? "");
  const entries = takesSlug ? await (await openDirectory(flags)).list() : [];
  // A word of the shell has only these characters; a broken record is called by its file.
  const slugs = entries.map(({ slug }) => slug).filter((slug) => /^[\w-]+$/.test(slug));
  const options = [...command.options, ...program.options].map(({ long }) => long ?? "");
  return [...slugs, ...options, "--help"];
}

/** `completion`: a script for each shell that knows the commands, their flags and, but for PowerShell, the names of sources. */

import type { Command } from "commander";
import type { Terminal } from "./terminal.js";
import { type CommonFlags, openDirectory } from "./workspace.js";

/** Prints the script, which is made of the commands themselves. The names of sources change: the script asks `completion slugs` for them. */
export async function printCompletion(
  flags: CommonFlags,
  terminal: Terminal,
  shell: string,
  program: Command,
): Promise<number> {
  if (shell === "slugs") {
    const entries = await (await openDirectory(flags)).list();
    // A word of the shell has only these characters; a broken record is called by its file.
    const slugs = entries.map(({ slug }) => slug).filter((slug) => /^[\w-]+$/.test(slug));
    if (slugs.length > 0) terminal.print(slugs.join("\n"));
    return 0;
  }
  const shared = program.options.map(({ long }) => long ?? "");
  const commands = program.commands.map((command) => ({
    name: command.name(),
    about: command.description(),
    takesSlug: command.registeredArguments[0]?.name() === "slug",
    flags: [...command.options.map(({ long }) => long ?? ""), ...shared, "--help"],
  }));
  terminal.print(writers[shell]?.(commands) ?? "");
  return 0;
}

interface CommandWords {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly string[];
  /** Whether its first argument is the name of a source. */
  readonly takesSlug: boolean;
}

const askSlugs = "api-sources completion slugs 2>/dev/null";

function writeCases(commands: readonly CommandWords[], variable: string): string {
  return commands
    .map(({ name, flags, takesSlug }) => {
      const words = [...(takesSlug ? [`$(${askSlugs})`] : []), ...flags];
      return `    ${name}) ${variable}="${words.join(" ")}" ;;`;
    })
    .join("\n");
}

function listNames(commands: readonly CommandWords[]): string {
  return commands.map(({ name }) => name).join(" ");
}

const writers: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: (commands) => `_api_sources() {
  local words="${listNames(commands)}"
  case "\${COMP_WORDS[1]}" in
${writeCases(commands, "words")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _api_sources api-sources`,
  zsh: (commands) => `#compdef api-sources
_api_sources() {
  local candidates="${listNames(commands)}"
  case "$words[2]" in
${writeCases(commands, "candidates")}
  esac
  compadd -- \${=candidates}
}
compdef _api_sources api-sources`,
  fish: (commands) =>
    commands
      .flatMap(({ name, about, flags, takesSlug }) => [
        ...(takesSlug
          ? [`complete -c api-sources -n '__fish_seen_subcommand_from ${name}' -f -a '(${askSlugs})'`]
          : []),
        `complete -c api-sources -n __fish_use_subcommand -f -a ${name} -d '${about.replaceAll("'", "\\'")}'`,
        ...flags.map(
          (flag) => `complete -c api-sources -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`,
        ),
      ])
      .join("\n"),
  powershell: (commands) => `Register-ArgumentCompleter -Native -CommandName api-sources -ScriptBlock {
  param($word, $line)
  $typed = $line.CommandElements | ForEach-Object { "$_" }
  $words = switch ($typed[1]) {
${commands.map(({ name, flags }) => `    '${name}' { ${flags.map((flag) => `'${flag}'`).join(", ")} }`).join("\n")}
    default { ${commands.map(({ name }) => `'${name}'`).join(", ")} }
  }
  $words | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
};

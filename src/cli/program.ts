/** The commands and their flags. What a command does is loaded when it runs, so that `list` and `--help` start at once. */

import { createRequire } from "node:module";
import { Argument, Command, CommanderError, Option } from "commander";
import { addRecordFlags, collect } from "./record-flags.js";
import { terminal } from "./terminal.js";

let exitCode = 0;

const { version } = createRequire(import.meta.url)("langchain-api-sources/package.json");
const program = new Command("api-sources")
  .description("Registers HTTP APIs as sources for agents, tests them and calls them.")
  .option("--dir <dir>", "the directory of the records (default: API_SOURCES_DIR, else ./sources)")
  .option("--json", "print results as JSON")
  .option("--yes", "ask nothing: take the default, and remove without a question")
  .option(
    "-e, --env-file <file>",
    "the file that credentials are read from and written to (default: .env)",
  )
  .version(version, "--version", "print the version")
  .exitOverride()
  .configureOutput({
    writeOut: (text) => terminal.print(text),
    writeErr: (text) => terminal.note(text),
  })
  .showHelpAfterError("Try: api-sources --help")
  .addHelpText(
    "after",
    "\nExit codes: 0 done, 1 failed or a test that isn't ok, 2 wrong usage or a wrong record,\n4 or 5 the API's status family, 6 refused by policy, 130 interrupted.",
  );

/** Runs one command line. @returns the exit code. @throws what the command throws; `presentError` turns it into a code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

/**
 * Adds a command.
 *
 * @param name - What `commands` calls it.
 * @param right - A line of it that is right.
 */
function define(
  name: keyof typeof import("./commands.js"),
  args: string,
  description: string,
  right: string = `${name} ${args}`.trim().replace("<slug>", "SLUG"),
): Command {
  const command = program.command(`${name} ${args}`).description(description);
  command.showHelpAfterError(`Try: api-sources ${right}`);
  return command.action(async () => {
    const run: Run = (await import("./commands.js"))[name];
    const given = [...command.processedArgs, program] as never[];
    exitCode = await run(command.optsWithGlobals<never>(), ...given);
  });
}

/** From its flags, its arguments and the program to the exit code. */
type Run = (flags: never, ...args: never[]) => Promise<number>;

addRecordFlags(
  define(
    "add",
    "[url-or-recipe]",
    "add a source: asks for missing values, tests it, then saves it; api-sources recipes lists the recipes",
    "add https://api.example.com --auth bearer --test-endpoint /me",
  ),
)
  .option(
    "--from <file>",
    "an OpenAPI, Swagger or Postman document, or a curl line; - is standard input",
  )
  .option(
    "--use-variable <name>",
    "a variable that --from may send; may be given again",
    collect,
    [],
  )
  .option(
    "--use-host <host>",
    "a host, besides the base URL's, that --from may send secrets to; may be given again",
    collect,
    [],
  )
  .option("--no-test", "save without a test");
addRecordFlags(define("set", "<slug>", "change only the named fields of a source")).option(
  "--unset <member>",
  "remove a member, such as paths.deny; may be given again",
  collect,
  [],
);
define("list", "", "list the sources");
define("show", "<slug>", "print the record of a source");
define("test", "[slug...]", "test the connection of sources; of all without a name");
define("recipes", "", "list the recipes: records of known APIs, for add");
define("env", "", "print the variables of the sources, without values");
define("schema", "", "print the JSON Schema of a record");
define(
  "call",
  "<slug> <method> <path>",
  "call an endpoint (GET, POST, PUT, PATCH or DELETE) and print what the model would see",
  "call SLUG GET /path --query name=value",
)
  .option("--query <name=value>", "a query parameter; may be given again", collect, [])
  .option("--header <line>", "a header, as 'Name: value'; may be given again", collect, [])
  .option("--body <json>", "the body as JSON, @FILE, or - for standard input")
  .addOption(
    new Option(
      "--form <label=value>",
      "a part of a multipart body, @FILE for a file; may be given again",
    )
      .argParser(collect)
      .conflicts(["body", "curl"]),
  )
  .option("--select <expression>", "a JMESPath over the answer's body")
  .option("--pages <count>", "how many pages to read into one answer")
  .option("--wait <seconds>", "how long to wait for a job, or for a GET whose work is unfinished")
  .option("--until <jmespath>", "is true for the response when the work is finished")
  .option("--full", "print the whole body instead of what the model would see")
  .addOption(
    new Option("--output <file>", "save the body in a file or directory").conflicts([
      "select",
      "pages",
      "full",
      "curl",
    ]),
  )
  .option("--force", "let --output overwrite a file")
  .option(
    "--record <dir>",
    "add the requests and the API's answers to the recordings in this directory",
  )
  .addOption(
    new Option(
      "--replay <dir>",
      "answer from the recordings in this directory and send nothing",
    ).conflicts("record"),
  )
  .option("--curl", "print the request as a curl line and send nothing");
define("log", "", "print the calls that an application wrote with journalTo")
  .option("--journal <file>", "the file of the journal", "calls.jsonl")
  .option("--follow", "also print new lines, until Ctrl-C")
  .option("--source <slug>", "only the calls of this source")
  .option("--failed", "only the calls that failed");
define("inspect", "", "open a page on this machine that makes and shows calls")
  .option("--journal <file>", "also list the calls of this journal, and follow it")
  .option(
    "--approve",
    "let writes of the page's calls be approved on it, by everyone who has its address",
  )
  .option("--open", "open the page in a browser");
define("remove", "<slug>", "remove a source").option(
  "--drop-credential",
  "also remove its credential from the environment file and the keyring",
);
define("mcp", "", "serve the sources as tools to an MCP client, over standard input and output")
  .addOption(
    new Option("--approve <calls>", "which calls the client must ask a person about")
      .choices(["writes", "all", "none"])
      .default("writes"),
  )
  .option("--code", "also serve run_api_code, which runs JavaScript over the sources")
  .option(
    "--combined",
    "serve one tool for all sources, call_api, which is fewer tokens from about four on",
  )
  .addOption(
    new Option(
      "--print-config <client>",
      "print the entry for its configuration, and serve nothing",
    ).choices(["claude", "cursor", "vscode"]),
  );
define("login", "<slug>", "have a person authorize a source, and keep the grant").option(
  "--no-browser",
  "print the address and open no browser",
);
define("logout", "<slug>", "forget the grant of a source");
define("completion", "", "print the script that completes words in a shell", "completion bash")
  .addArgument(new Argument("<bash|zsh|fish>").choices(["bash", "zsh", "fish", "words"]))
  .addArgument(new Argument("[command]"));

import { describe, expect, it } from "@jest/globals";
import {
  ApiSourceToolkit,
  type ClientOptions,
  createApiSourceTool,
  createMemoryStore,
  createReadApiResponseTool,
  createSourceClient,
  defineSource,
  testConnection,
} from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { createMcpServer } from "langchain-api-sources/mcp";
import { recordTo } from "langchain-api-sources/testing";

const github = defineSource({
  name: "GitHub",
  api: { baseUrl: "https://api.github.example", authType: "bearer" },
});
const token = { token: "0-token-that-no-error-shows" };

/** The error that an application receives, by each way of making something of the record. */
async function refusals(options: object): Promise<unknown[]> {
  const ways: (() => unknown)[] = [
    () => ApiSourceToolkit.fromSources([github], options),
    () => createSourceClient(github, options),
    () => createApiSourceTool(github, options),
    () => testConnection(github, options),
  ];
  const outcomes = await Promise.allSettled(ways.map(async (way) => way()));
  return outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined));
}

function logged(): { lines: unknown[]; logger: Console } {
  const lines: unknown[] = [];
  const warn = (_message: string, data: unknown): void => void lines.push(data);
  return { lines, logger: { ...console, warn } };
}

const mapOrFunction = "an object with one entry per name, or a function";

describe("the options", () => {
  it.each<[object, string]>([
    [{ credentails: { github: token } }, '"credentails" is not an option. Write credentials.'],
    [{ colour: "blue" }, '"colour" is not an option.'],
    [{ clock: { now: () => 0 } }, '"clock" is not an option.'],
    [{ readEnvironment: () => "x" }, '"readEnvironment" is not an option.'],
    [{ approve: "write" }, 'approve is "write"; it must be "writes", "all" or a function.'],
    [{ maxTokens: "2000" }, 'maxTokens is "2000"; it must be a number greater than 0.'],
    [{ logger: null }, "logger is null; it must be a logger such as console."],
    [{ credentials: token.token }, `credentials is of type string; it must be ${mapOrFunction}.`],
    [{ credentials: { GitHub: token } }, 'credentials has "GitHub"; the source is named "github".'],
    [
      { credentials: { git_hub: token } },
      'credentials has "git_hub"; the source is named "github".',
    ],
    [
      { credentials: { github: { key: token.token } } },
      'The credential of github can\'t be used: "key" is not a member of a credential.',
    ],
    [
      { credentials: { github: { ...token, expires_at: 1 } } },
      'The credential of github can\'t be used: "expires_at" is not a member of a credential; write `expiresAt`.',
    ],
    [
      { credentials: { github: { token: " " } } },
      "The credential of github can't be used: the token is empty; check the variable that it comes from.",
    ],
    [
      { credentials: { github: { token: undefined } } },
      'The credential of github can\'t be used: authType "bearer" takes { token } or { apiKey }, a string.',
    ],
    [
      { credentials: { github: { username: "ada", password: token.token } } },
      'The credential of github can\'t be used: authType "bearer" takes { token } or { apiKey }, a string.',
    ],
    [
      { credentials: { github: { token: `${token.token}\n` } } },
      "The credential of github can't be used: it holds a line break, a control character, or a character outside Latin-1, which a header can't carry.",
    ],
    [
      { credentials: { github: { ...token, onUnauthorized: "renew" } } },
      'The credential of github can\'t be used: "onUnauthorized" is not a member of a credential.',
    ],
    [
      { credentials: { github: token.token } },
      'The credential of github can\'t be used: authType "bearer" takes { token } or { apiKey }, a string.',
    ],
  ])("%j are refused when anything is made of a record", async (options, message) => {
    for (const error of await refusals(options)) {
      expect(error).toMatchObject({ category: "not_configured", code: "wrong_options", message });
      expect(String(error)).not.toContain(token.token);
    }
  });

  it("refuse a credential of a source whose record has no authType, and one of another kind than basic", async () => {
    const sources = [
      { slug: "open", api: { baseUrl: "https://a.example" } },
      { slug: "shop", api: { baseUrl: "https://b.example", authType: "basic" as const } },
    ];
    const made = ApiSourceToolkit.fromSources(sources, {
      credentials: { open: token, shop: token },
    });
    await expect(made).rejects.toThrow(
      /2 problems.*open.*no `authType`.*shop.*\{ username, password \}/s,
    );
  });

  it("take a credential that is absent, a function of one, and what a function gives with members of its own", async () => {
    const read = () => token.token;
    for (const given of [undefined, { token: read, vault: 1 }, { sign: () => ({}), key: "k" }]) {
      const credentials = { github: given } as ClientOptions["credentials"];
      expect(createSourceClient(github, { credentials }).source.slug).toBe("github");
    }
    const own = () => ({ ...token, owner: "ada" });
    expect(createSourceClient(github, { credentials: own }).source.slug).toBe("github");
  });

  it.each([12345678, {}, ["k"]])("refuse a secret that is no text: %j", async (value) => {
    const [error] = await refusals({ secrets: { PIN: value } as never });
    expect(String(error)).toContain("an object with one string per name");
  });

  it("are refused with every problem in one error", async () => {
    const [error] = await refusals({
      aprove: "writes",
      readApiResponse: "no",
      credentials: { Github: token },
    });
    expect(String(error)).toMatch(/3 problems.*Write approve.*readApiResponse.*"github"/s);
  });

  it("may name credentials of other sources, which is a warning", async () => {
    const { lines, logger } = logged();
    await ApiSourceToolkit.fromSources([github], {
      logger,
      credentials: { github: token, gitlab: token },
    });
    expect(lines).toEqual([{ names: ["gitlab"], sources: ["github"] }]);
  });

  it("may have a credential with nearly the name of a source that has its own", () => {
    const { lines, logger } = logged();
    createSourceClient(github, { logger, credentials: { github: token, github2: token } });
    expect(lines).toEqual([{ names: ["github2"], sources: ["github"] }]);
  });

  it.each([
    [{}],
    [{ approve: undefined, credentials: undefined }],
    [{ credentials: () => token }],
    [{ credentials: { getCredential: async () => token } }],
    [
      {
        approve: "all",
        approver: async () => ({ type: "approve" }),
        redis: {},
        tokenStore: "runtime",
      },
    ],
  ])("%j are accepted", (options) => {
    createSourceClient(github, options as object);
    createReadApiResponseTool(options as object);
  });
});

describe("the options of a function or method of its own", () => {
  const wrong: Readonly<Record<string, (toolkit: ApiSourceToolkit) => unknown>> = {
    "an unknown option": (toolkit) => toolkit.getTools({ answer: "whole" } as object),
    "a word that is none of its words": (toolkit) => toolkit.getTools({ answers: "all" } as object),
    "a text in place of the options": (toolkit) => toolkit.getTools("whole" as unknown as object),
    "of readResponse": (toolkit) => toolkit.readResponse("r_1", { selects: "[0]" } as object),
    "of readFile": (toolkit) => toolkit.readFile("r_1", { threadId: 7 } as object),
    "of createApiCodeTool": (toolkit) => createApiCodeTool(toolkit, { writes: "yes" } as object),
    "of createMcpServer": (toolkit) => createMcpServer(toolkit, { approve: "write" } as object),
    "of createMemoryStore": () => createMemoryStore({ ttl: 1 } as object),
    "of recordTo": () => recordTo("recordings", { redact: true } as object),
  };

  it("are refused, each with its name, the given value and the right one", async () => {
    const messages: Record<string, unknown> = {};
    for (const [what, call] of Object.entries(wrong)) {
      const made = ApiSourceToolkit.fromSources([github]).then(call);
      const error: unknown = await made.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ category: "not_configured", code: "wrong_options" });
      messages[what] = Object(error).message;
    }
    expect(messages).toMatchSnapshot();
  });
});

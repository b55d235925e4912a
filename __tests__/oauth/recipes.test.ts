import { describe, expect, it } from "@jest/globals";
import { createSourceClient, parseSource } from "langchain-api-sources";
import { readBlocks } from "../support/documents.js";

const recipes = readBlocks("docs/recipes.md")
  .filter(({ language, text }) => language === "json" && text.includes("authType"))
  .map(({ text }) => JSON.parse(text));

describe("the recipes", () => {
  it("are twenty or more, each with a name of its own, and of every kind", () => {
    const sources = recipes.map((recipe) => parseSource(recipe));
    expect(new Set(sources.map(({ slug }) => slug)).size).toBe(sources.length);
    expect(sources.length).toBeGreaterThanOrEqual(20);
    const grants = sources.map(
      ({ api }) => api.oauth2?.grant ?? (api.login === undefined ? api.authType : "login"),
    );
    expect(new Set(grants)).toEqual(
      new Set([
        ...["client_credentials", "refresh_token", "authorization_code", "device_code"],
        ...["login", "bearer", "basic", "header", "query"],
      ]),
    );
  });

  it.each(recipes.map((recipe) => [recipe.name, recipe]))(
    "have no key that is unknown: %s",
    (_name, recipe) => {
      const warnings: unknown[] = [];
      const log = (): void => {};
      const logger = {
        debug: log,
        info: log,
        warn: (...all: unknown[]) => void warnings.push(all),
        error: log,
      };
      expect(parseSource(recipe, { logger }).api.testEndpoint).toMatch(/^\//);
      expect(warnings).toEqual([]);
    },
  );

  it.each(recipes.map((recipe) => [recipe.name, recipe]))(
    "name every variable and placeholder that they need, and ask nobody but their own server: %s",
    async (_name, recipe) => {
      // A proxy on a closed port: whatever would be sent ends there.
      const record = { ...recipe, api: { ...recipe.api, network: { proxy: "http://127.0.0.1:9" } } };
      const client = createSourceClient(record, {
        credentials: (source) =>
          source.api.oauth2 !== undefined || source.api.login !== undefined
            ? undefined
            : source.api.authType === "basic"
              ? { username: "user", password: "passw0rd-1" }
              : { token: "t0ken-of-a-recipe" },
        secrets: (name) => `value-of-${name}`,
        sleep: async () => {},
      });
      const { content } = await client.call({ method: "GET", path: recipe.api.testEndpoint });
      const { error } = JSON.parse(content);
      const isConsent = recipe.api.oauth2?.grant === "authorization_code";
      expect(error).toMatchObject(
        isConsent
          ? { code: "auth_required" }
          : { category: "network", code: expect.stringMatching(/PROXY|REFUSED/) },
      );
    },
  );
});

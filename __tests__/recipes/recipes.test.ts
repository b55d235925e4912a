import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import {
  type ApiSource,
  createSourceClient,
  parseSource,
  testConnection,
} from "langchain-api-sources";
import { noSleep } from "../support/seams.js";

interface RecipeNote {
  readonly about: string;
  readonly source: string;
  readonly checked: string;
  readonly lists?: { readonly by: string; readonly source: string };
  readonly change?: readonly string[];
  readonly unchecked?: readonly string[];
}

const files = readdirSync("recipes").sort();
const recipes = files.map((file) => {
  const { "x-recipe": note, ...record } = JSON.parse(readFileSync(`recipes/${file}`, "utf8"));
  return { file, name: file.replace(/\.json$/, ""), record, note: note as RecipeNote };
});
const each = recipes.map((recipe) => [recipe.name, recipe] as const);

describe("the recipes", () => {
  it("are 36 or more, each with a name of its own, and of every kind", () => {
    const sources = recipes.map(({ record }) => parseSource(record));
    expect(new Set(sources.map(({ slug }) => slug)).size).toBe(sources.length);
    expect(sources.length).toBeGreaterThanOrEqual(36);
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

  it("each have a link in docs/recipes.md", () => {
    const links = readFileSync("docs/recipes.md", "utf8").matchAll(/\(\.\.\/recipes\/(.+?)\)/g);
    expect([...links].map(([, file]) => file).sort()).toEqual(files);
  });

  it.each(each)(
    "say where they come from, when they were checked, and what is an example: %s",
    (_name, { note, record }) => {
      expect(note).toMatchObject({
        about: expect.stringMatching(/\S.*[.)]$/),
        source: expect.stringMatching(/^https:\/\/\S+$/),
        checked: expect.stringMatching(/^20\d\d-(?:0[1-9]|1[0-2])$/),
      });
      expect(
        Object.keys(note).filter(
          (key) => !["about", "source", "checked", "lists", "change", "unchecked"].includes(key),
        ),
      ).toEqual([]);
      for (const path of note.change ?? [])
        expect(path.split(".").reduce((value, step) => value?.[step], record.api)).toBeDefined();
      if (record.api.oauth2 !== undefined) expect(note.change).toContain("oauth2.clientId");
    },
  );

  it.each(each)(
    "are read without a problem, and have nothing that a connection test warns of: %s",
    async (_name, { record }) => {
      expect(parseSource(record).api.testEndpoint).toMatch(/^\//);
      const report = await testConnection(record, {
        credentials: giveCredential,
        secrets: (variable) => `value-of-${variable}`,
        transport: () => ({ status: 200, body: { ok: true } }),
      });
      expect(report.warnings.filter((warning) => !warning.includes("curl line"))).toEqual([]);
    },
  );

  it.each(each)(
    "name every variable and placeholder that they need, and send to their own server alone: %s",
    async (_name, { record: recipe }) => {
      // A proxy on a closed port: whatever would be sent ends there.
      const record = {
        ...recipe,
        api: { ...recipe.api, network: { proxy: "http://127.0.0.1:9" } },
      };
      const client = createSourceClient(
        record,
        {
          credentials: giveCredential,
          secrets: (name) => `value-of-${name}`,
        },
        { sleep: noSleep },
      );
      const { content } = await client.call({ method: "GET", path: recipe.api.testEndpoint });
      const { error } = JSON.parse(content);
      const isConsent = /^(?:authorization|device)_code$/.test(recipe.api.oauth2?.grant ?? "");
      expect(error).toMatchObject(
        isConsent
          ? { code: "auth_required" }
          : { category: "network", code: expect.stringMatching(/PROXY|REFUSED/) },
      );
    },
  );
});

function giveCredential({
  api,
}: ApiSource): { token: string } | { username: string; password: string } | undefined {
  if (api.oauth2 !== undefined || api.login !== undefined) return undefined;
  return api.authType === "basic"
    ? { username: "user", password: "passw0rd-1" }
    : { token: "t0ken-of-a-recipe" };
}

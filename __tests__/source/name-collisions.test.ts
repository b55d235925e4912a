import { describe, expect, it } from "@jest/globals";
import { findNameCollisions } from "../../src/source/name-collisions.js";
import { parseSource } from "../../src/source/parse-source.js";

const sourceOf = (name: string, slug?: string) =>
  parseSource({
    name,
    ...(slug === undefined ? {} : { slug }),
    api: { baseUrl: `https://${name.length}.example.com` },
  });

describe("findNameCollisions", () => {
  it("names both records, their files, and asks for a slug", () => {
    const problems = findNameCollisions([
      { source: sourceOf("My API"), file: "a.json" },
      { source: sourceOf("other"), file: "b.json" },
      { source: sourceOf("my--api"), file: "c.json" },
    ]);
    expect(problems).toEqual([
      {
        file: "c.json",
        source: "my--api",
        path: "slug",
        given: '"my_api"',
        message: 'is the tool\'s name that "My API" (a.json, https://6.example.com) has too',
        fix: 'Add a `slug` of its own to one of the two, such as "slug": "other_name".',
      },
    ]);
  });

  it.each([
    ["github", "GitHub"],
    ["git-hub", "git_hub"],
  ])("counts %s and %s as one, because they read the same environment variables", (left, right) => {
    expect(
      findNameCollisions([{ source: sourceOf("a", left) }, { source: sourceOf("b", right) }]),
    ).toHaveLength(1);
  });

  it("accepts sources of different names", () => {
    const sources = [sourceOf("a"), sourceOf("b"), sourceOf("a", "c")].map((source) => ({ source }));
    expect(findNameCollisions(sources)).toEqual([]);
  });
});

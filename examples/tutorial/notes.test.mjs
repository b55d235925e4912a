// A test without the API: node --test notes.test.mjs. With RECORD=1 it asks the API, and records the answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiSourceToolkit, loadEnvFile } from "langchain-api-sources";
import { recordTo, replayFrom } from "langchain-api-sources/testing";

loadEnvFile();
const transport = process.env.RECORD === "1" ? recordTo("recordings") : replayFrom("recordings");

test("lists the notes about the garden", async () => {
  const toolkit = await ApiSourceToolkit.fromDirectory("./sources", { transport });
  const [notes] = toolkit.getTools();
  const answer = await notes.invoke({
    method: "GET",
    path: "/notes",
    query: { tag: "garden" },
    select: "notes[0]",
  });
  assert.deepEqual(JSON.parse(answer).data, { id: 3, title: "Note 3", tag: "garden" });
});

// A test without the API: node --test notes.test.mjs. With RECORD=1 it asks the API, and records the answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiSourceToolkit, loadEnvFile } from "langchain-api-sources";
import { recordTo, replayFrom } from "langchain-api-sources/testing";

loadEnvFile();
const isRecording = process.env.RECORD === "1";

test("lists the notes about the garden", async () => {
  const toolkit = await ApiSourceToolkit.fromDirectory("./sources", {
    transport: isRecording ? recordTo("recordings") : replayFrom("recordings"),
    // A recording contains no token: any will do.
    credentials: isRecording ? {} : { notes: { token: "any" } },
  });
  const notes = toolkit.getTools().find(({ name }) => name === "notes");
  const answer = await notes.invoke({
    method: "GET",
    path: "/notes",
    query: { tag: "garden" },
    select: "notes[0]",
  });
  const { status, data } = JSON.parse(answer);
  assert.deepEqual([status, data], [200, { id: 3, title: "Note 3", tag: "garden" }]);
});

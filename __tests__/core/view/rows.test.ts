/** Which rows and fields of lists a view shows: whole rows, what identifies them, and the same fields for many rows. */

import { describe, expect, it } from "@jest/globals";
import type { JsonObject, JsonValue } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { shrink } from "../../support/views.js";

const rowsOf = (count: number, make: (index: number) => JsonValue): JsonValue[] =>
  Array.from({ length: count }, (_, index) => make(index));
const viewOf = (document: JsonValue, maxTokens = 1000): JsonValue =>
  parseJson(shrink(document, maxTokens).view);
const hex = (seed: number, length: number): string =>
  Array.from({ length }, (_, at) =>
    (((seed + 7) * (at + 3) * 2_654_435_761) % 16).toString(16),
  ).join("");
const url = (path: string): string => `https://api.example.test/repos/acme/shop/${path}`;

describe("rows of plain values", () => {
  const candle = (index: number): JsonValue[] => [
    1_700_000_000 + index,
    `${60_000 + index}.50`,
    "1.25",
    index,
    null,
  ];

  it("are shown whole, in their order", () => {
    for (const maxTokens of [150, 400, 1000, 3000]) {
      const shown = viewOf(rowsOf(500, candle), maxTokens) as JsonValue[];
      expect(shown.length).toBeGreaterThan(2);
      expect(shown).toEqual(rowsOf(shown.length, candle));
    }
  });

  it("are shown whole as a field of a row, such as the value of a time series", () => {
    const series = rowsOf(120, (index) => ({
      metric: { instance: `10.0.0.${index}:9100`, job: "node" },
      value: [1_700_000_000.5, String(index % 7)],
      values: rowsOf(9, (step) => [1_700_000_000 + step, String(index + step)]),
    }));
    const shown = viewOf({ data: { result: series } }) as { data: { result: JsonObject[] } };
    expect(shown.data.result.length).toBeGreaterThan(10);
    for (const [index, row] of shown.data.result.entries()) {
      expect(row["value"]).toEqual((series[index] as JsonObject)["value"]);
      for (const [step, pair] of ((row["values"] ?? []) as JsonValue[]).entries())
        expect(pair).toEqual([1_700_000_000 + step, String(index + step)]);
    }
  });

  it("end at one index where they are columns beside each other", () => {
    const hourly = {
      time: rowsOf(400, (index) => `2025-01-0${1 + (index % 9)}T0${index % 9}:00`),
      temperature: rowsOf(400, (index) => index / 10),
      rain: rowsOf(400, (index) => index % 3),
    };
    for (const maxTokens of [200, 700, 2000]) {
      const shown = (viewOf({ latitude: 59.9, hourly }, maxTokens) as { hourly: typeof hourly })
        .hourly;
      expect(shown.time.length).toBeGreaterThan(3);
      expect([shown.temperature.length, shown.rain.length]).toEqual([
        shown.time.length,
        shown.time.length,
      ]);
    }
  });
});

describe("the fields of rows", () => {
  it("end at no more than three rows of a list", () => {
    const rows = rowsOf(200, (index) => ({
      id: 7000 + index,
      ...Object.fromEntries(
        rowsOf(20, (at) => `${index * at} ${"x".repeat(at)}`).map((value, at) => [
          `field_${at}`,
          value,
        ]),
      ),
      note: `Note ${index}: ${"words and words ".repeat(12)}`,
      items: rowsOf(3, (at) => ({ sku: `SKU-${index}-${at}`, quantity: index % 5 })),
      url: url(`orders/${index}`),
    }));
    for (let maxTokens = 300; maxTokens < 9000; maxTokens *= 1.6) {
      const shown = viewOf(rows, maxTokens) as JsonObject[];
      const ends = new Set<number>();
      for (const key of Object.keys(rows[0] as JsonObject)) {
        const end = shown.findIndex((row) => !Object.hasOwn(row, key));
        if (end > 0) ends.add(end);
        for (const row of end < 0 ? [] : shown.slice(end)) expect(row).not.toHaveProperty(key);
      }
      expect(ends.size).toBeLessThanOrEqual(3);
    }
  });
});

describe("what identifies a row", () => {
  /** The fields of the last row that is shown. */
  const lastRow = (make: (index: number) => JsonValue, maxTokens = 1200): JsonObject => {
    const shown = viewOf(rowsOf(300, make), maxTokens) as JsonObject[];
    expect(shown.length).toBeGreaterThan(5);
    return shown.at(-1) ?? {};
  };
  /** More facts than the first group of fields has room for, each cheaper than an identifier. */
  const facts = (index: number): JsonObject =>
    Object.fromEntries(rowsOf(40, (at) => (index * at) % 90).map((value, at) => [`n${at}`, value]));

  it("is the name beside a hash", () => {
    const row = lastRow((index) => ({
      node_id: `MDM6UmVm${hex(index, 40)}`,
      ref: `refs/heads/topic-${index}`,
      url: url(`git/refs/heads/topic-${index}`),
      object: { sha: hex(index, 40), type: "commit", url: url(`git/commits/${hex(index, 40)}`) },
    }));
    expect(row["ref"]).toMatch(/^refs\/heads\/topic-\d+$/);
    expect(row).not.toHaveProperty("node_id");
  });

  it("is the message of a commit, with its hash", () => {
    const person = (index: number): JsonObject => ({
      name: "Mira Holm",
      email: `mira${index}@mail.example.test`,
    });
    const row = lastRow((index) => ({
      sha: hex(index, 40),
      commit: {
        author: person(index),
        committer: person(index + 1),
        message: `Fix the parser of part ${index} of the page`,
        comment_count: index,
      },
      author: { login: `mira${index % 3}`, id: index },
      committer: { login: `jonas${index % 3}`, id: index },
    }));
    expect(row).toMatchObject({
      sha: expect.any(String),
      commit: { message: expect.stringMatching(/^Fix the parser/) },
    });
  });

  it("is a field without a known name in which all rows differ: `sid`, `ts`", () => {
    const message = lastRow(
      (index) => ({
        account_sid: "AC8ebc77310fe2667e4ce26b8745680801",
        to: `+47555${1000 + index}`,
        body: `Your parcel number ${index} is here`,
        sid: `SM${hex(index, 8)}${index}`,
        uri: `/2010-04-01/Accounts/AC8ebc77310fe2667e4ce26b8745680801/Messages/${index}.json`,
        ...facts(index),
      }),
      3000,
    );
    expect(message).toMatchObject({ sid: expect.any(String), body: expect.any(String) });
    const post = lastRow(
      (index) => ({
        type: "message",
        user: `U0${hex(index % 4, 9).toUpperCase()}`,
        text: `A question about the thing with number ${index}, asked in a few words`,
        ts: `17000${10_000 + index}.000200`,
        ...facts(index),
      }),
      3000,
    );
    expect(post).toMatchObject({
      ts: expect.stringMatching(/^17000/),
      text: expect.stringMatching(/^A question/),
    });
  });

  it("is the name of a wide row that begins with many values of one type", () => {
    const years = (index: number): JsonObject =>
      Object.fromEntries(
        rowsOf(45, (at) => `${index + 7},${at}00`).map((sum, at) => [`${1980 + at}`, sum]),
      );
    const row = lastRow((index) => ({
      ...years(index),
      code: index,
      "Account name": `Account ${index}`,
    }));
    expect(row["code"]).toEqual(expect.any(Number));
  });

  it("is the summary and the times of an event, not its etag", () => {
    const event = lastRow((index) => ({
      kind: "calendar#event",
      etag: `"${3_181_161_784_712_000 + index}"`,
      id: `${hex(index % 5, 20)}_${index}`,
      summary: `Meeting number ${index % 5}`,
      start: { dateTime: `2025-01-1${index % 9}T10:00:00+01:00`, timeZone: "Europe/Oslo" },
      end: { dateTime: `2025-01-1${index % 9}T11:00:00+01:00`, timeZone: "Europe/Oslo" },
    }));
    const time = { dateTime: expect.any(String) };
    expect(event).toMatchObject({ summary: expect.any(String), start: time, end: time });
    expect(event).not.toHaveProperty("etag");
  });

  it("comes with the names of the records that it refers to", () => {
    const issue = lastRow((index) => ({
      key: `SHOP-${index}`,
      summary: `Summary of issue ${index}`,
      status: {
        self: url(`status/${index}`),
        name: ["Open", "Done"][index % 2] ?? "",
        id: String(index % 2),
      },
      assignee: {
        self: url(`users/${index}`),
        accountId: hex(index, 24),
        displayName: `Person ${index % 9}`,
      },
      ...Object.fromEntries(
        rowsOf(20, (at) => `value ${index} of ${at}`).map((value, at) => [
          `customfield_${at}`,
          value,
        ]),
      ),
    }));
    expect(issue).toMatchObject({
      status: { name: expect.any(String) },
      assignee: { displayName: expect.any(String) },
    });
  });
});

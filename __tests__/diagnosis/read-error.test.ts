import { describe, expect, it } from "@jest/globals";
import { readError } from "../../src/diagnosis/call-error.js";
import { makeSource } from "../support/api-source.js";
import { documentedErrors } from "./documented-errors.js";
import { bodyOf } from "./error-dialects.js";

const request = { method: "GET", path: "/things", url: "https://api.example.com/v1/things" } as const;
const credential = { variables: ["SHOP_TOKEN"] };

describe("readError", () => {
  it.each(documentedErrors.map((dialect) => [`${dialect.api} (${dialect.source})`, dialect] as const))(
    "reads %s",
    async (_name, dialect) => {
      const { status, headers = {} } = dialect;
      const body = await bodyOf(dialect);
      const error = readError({ status, headers, body, request, source: makeSource(), credential })?.error;
      expect(error).toBeDefined();
      if (dialect.message instanceof RegExp) expect(error?.message).toMatch(dialect.message);
      else expect(error?.message).toBe(dialect.message);
      expect(error?.category).toBe(dialect.category);
      if (dialect.code !== undefined) expect(error?.code).toBe(dialect.code);
      if (dialect.retryable !== undefined) expect(error?.retryable).toBe(dialect.retryable);
      if (dialect.fields !== undefined) expect(error?.details).toMatchObject({ fields: dialect.fields });
      if (dialect.details !== undefined) expect(error?.details).toMatchObject(dialect.details);
      if ("wholeDetails" in dialect) expect(error?.details).toEqual(dialect.wholeDetails);
      expect(error?.hint.length).toBeGreaterThan(20);
    },
  );
});

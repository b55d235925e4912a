/** The queries of docs/jmespath.md, on the body of that page. */

import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";
import { readTable } from "../../support/documents.js";

const page = "docs/jmespath.md";
const [, body = ""] = /With the body `(.+)`:/.exec(readFileSync(page, "utf8")) ?? [];
const engine = await loadQueryEngine();
const plain = (cell: string): string => cell.replaceAll(/^`+|`+$/g, "");

it.each(readTable(page, "Query").map((cells) => cells.map(plain)))(
  "%s gives %s",
  (select = "", given = "") => {
    expect(engine.run(JSON.parse(body), select).value).toEqual(JSON.parse(given));
  },
);

import { expect, it } from "@jest/globals";
import type { Answer, ApprovalQuestion, CallRequest } from "langchain-api-sources";

/** What the compiler takes: the test is that this file compiles. */
it("the members of a call are typed", () => {
  const calls: CallRequest[] = [
    { path: "/orders", query: { page: 2, open: true, tags: ["a", "b"], filter: { status: "new" } } },
    {
      method: "get",
      path: "/orders",
      query: [{ name: "page", value: "2" }],
      headers: [["Accept", "text/csv"]],
    },
    { method: "POST", path: "/orders", body: { items: [1, null] }, headers: { "If-Match": "1" } },
    { method: "PUT", path: "/notes/1", body: "text", query: "draft=1", pages: 2 },
    // @ts-expect-error: a function is not a value of a query
    { path: "/orders", query: { page: () => 2 } },
    // @ts-expect-error: a header has one value
    { path: "/orders", headers: { "If-Match": { a: 1 } } },
    // @ts-expect-error: there is no such member
    { path: "/orders", params: { page: 2 } },
  ];
  const answer = { status: 200, data: [1], pages: { read: 1, rows: 1, complete: true } } satisfies Answer;
  const describe = ({ request, actionRequests }: ApprovalQuestion): string =>
    `${request.method} ${actionRequests[0].description}`;
  expect([calls.length, answer.data, typeof describe]).toEqual([7, [1], "function"]);
});

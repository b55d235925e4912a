/** The part of the model, written down: LangChain's fakeModel answers from this script, so that the demo needs no key. */

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { fakeModel } from "langchain";

export const questions = [
  "How many paid orders are there, and what do they add up to?",
  "Order one desk lamp for customer 1003.",
  "Start the weekly export, and then another one.",
  "Who am I in the admin API, and which German customers do we have?",
] as const;

type Args = Record<string, unknown>;

let callNumber = 0;

function callTool(name: string, args: Args): AIMessage {
  callNumber += 1;
  return new AIMessage({
    content: "",
    tool_calls: [{ name, args, id: `call_${callNumber}`, type: "tool_call" }],
  });
}

/** What a model would read from the last answer: the document in the last tool message. */
function lastAnswer(messages: readonly BaseMessage[]): {
  data?: never;
  shortened?: { id?: string };
  error?: { hint?: string };
} {
  return JSON.parse(messages.at(-1)?.text ?? "{}");
}

const order = {
  customer_id: 1003,
  items: [{ sku: "SKU-100", title: "Desk lamp", quantity: 1, price: 39.9 }],
  total: 39.9,
};

export function createScriptedModel(): ReturnType<typeof fakeModel> {
  return (
    fakeModel()
      // A list that is too long to show: the view says what is missing, and the question is asked of the whole.
      .respond(
        callTool("shop_orders", {
          method: "GET",
          path: "/orders",
          query: [
            { name: "status", value: "paid" },
            { name: "limit", value: "500" },
          ],
        }),
      )
      .respond((messages) =>
        callTool("read_api_response", {
          id: lastAnswer(messages).shortened?.id,
          select: "{count: length(orders), total: sum(orders[].total)}",
        }),
      )
      .respond((messages) => new AIMessage(`Paid orders: ${JSON.stringify(lastAnswer(messages).data)}`))
      // A write that is not valid: the answer names the fields, and the next call is right.
      .respond(
        callTool("shop_orders", {
          method: "POST",
          path: "/orders",
          body: JSON.stringify({ customer_id: 1003 }),
        }),
      )
      .respond(
        callTool("shop_orders", {
          method: "POST",
          path: "/orders",
          body: JSON.stringify(order),
          select: "{id: id, status: status}",
        }),
      )
      .respond((messages) => new AIMessage(`Ordered: ${JSON.stringify(lastAnswer(messages).data)}`))
      // A quota that is used up: the answer says when to come back.
      .respond(callTool("shop_reports", { method: "POST", path: "/exports" }))
      .respond(callTool("shop_reports", { method: "POST", path: "/exports" }))
      .respond(
        (messages) =>
          new AIMessage(
            `One export is queued. For the other: ${lastAnswer(messages).error?.hint ?? "queued too"}`,
          ),
      )
      // Two more ways to carry a credential, and a query that picks two fields of each row.
      .respond(callTool("shop_admin", { method: "GET", path: "/me" }))
      .respond(
        callTool("shop_customers", {
          method: "GET",
          path: "/customers?country=DE",
          select: "[].{id: id, name: name}",
        }),
      )
      .respond(
        (messages) =>
          new AIMessage(
            `You are the demo shop; the German customers: ${JSON.stringify(lastAnswer(messages).data).slice(0, 120)}…`,
          ),
      )
  );
}

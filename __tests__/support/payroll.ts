/** A confidential source and one that receives: the sources of the tests on confidential values. */

import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";

/** @param payroll - The base URL of the confidential source. @param tickets - That of the receiver. */
export const openPayroll = (
  payroll: string,
  tickets: string,
  options: ClientOptions = {},
): Promise<ApiSourceToolkit> =>
  ApiSourceToolkit.fromSources(
    [
      { name: "Payroll", api: { baseUrl: payroll, confidential: true } },
      { name: "Tickets", api: { baseUrl: tickets } },
    ],
    options,
  );

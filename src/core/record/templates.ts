/** The strings of a record, each with the place that an error names: texts with gaps, and JMESPaths. */

import { type ApiSource, listPagingRules } from "./api-source.js";
import { listErrorRules } from "./error-when-schema.js";

/** A string of the record and its place. */
export interface Template {
  /** The name of a header, a parameter or a member: the last part of `field`. */
  readonly name: string;
  /** Such as `api.headers.X-Tenant`. */
  readonly field: string;
  readonly text: string;
}

/** The strings of the object at `field`, without absent ones. */
export function listTemplates(
  field: string,
  texts: Readonly<Record<string, string | undefined>>,
): Template[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, field: `${field}.${name}`, text }],
  );
}

/** The JMESPaths of a record. */
export function listExpressions({ api }: ApiSource): Template[] {
  const { errorWhen, expiredWhen, paging } = api;
  const { tokenAt, expiresInSecondsAt } = api.login ?? {};
  const { status, location, result } = api.jobs ?? {};
  const all = [
    ...listErrorRules(errorWhen).flatMap(({ when }, index) =>
      Array.isArray(errorWhen)
        ? listTemplates(`api.errorWhen[${index}]`, { when })
        : listTemplates("api", { errorWhen: when }),
    ),
    ...listTemplates("api", { expiredWhen }),
    ...listPagingRules(paging).flatMap(({ total, next }, index) =>
      listTemplates(Array.isArray(paging) ? `api.paging[${index}]` : "api.paging", { total, next }),
    ),
    ...listTemplates("api.login", { tokenAt, expiresInSecondsAt }),
    ...listTemplates("api.jobs", { status, location, result }),
  ];
  // `header:NAME` is the name of a header, and no expression.
  return all.filter(({ text }) => !text.startsWith("header:"));
}

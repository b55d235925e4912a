/** How the lists of an API behave, as data that one server plays. */

export interface ListStyle {
  /** The method and path of a list, with its query. */
  readonly call: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** What asks for a page, and where; `page0` counts from 0, and a link is followed as it is. */
  readonly next: readonly [by: "cursor" | "last" | "page" | "page0" | "skip" | "link", at: string];
  /** Whether the API ignores a parameter that is neither in `call` nor asks for a page. @default It is refused. */
  readonly ignoresUnknown?: boolean;
  /** @default `{"id":…,"name":…}` */
  readonly row?: Readonly<Record<string, unknown>>;
  /**
   * The answer. In it `$rows` is the page, `$more` and `$done` are flags, `$last` is the id of the last row, `$cursor` the next cursor or null, `$link`
   * and `$path` lead to the next page or are null, `$page`, `$pages`, `$skip`, `$size` and `$total` are numbers, `$$page` the same as a text. A member whose
   * name ends in `?` is left out on the last page, one that ends in `!` is null there.
   */
  readonly answer: unknown;
  /** The `Link` header of every page, and that of the last one. */
  readonly header?: readonly [next: string, last: string];
}

export const rowCount = 9;
const pageSize = 3;
const pageCount = rowCount / pageSize;

/** What the template of a page is filled with. */
interface Page {
  readonly index: number;
  /** The URL of the request. */
  readonly url: URL;
}

/** The index of the page that a request asks for; undefined for one that there is not. */
export function findPage({ next: [by, at] }: ListStyle, sent: unknown): number | undefined {
  if (sent === undefined) return 0;
  const text = String(sent);
  const name = { cursor: "c", last: "r", link: "p" }[by as "cursor" | "last" | "link"];
  const number = Number(name === undefined ? text : text.slice(name.length));
  if (!Number.isInteger(number) || (name !== undefined && !text.startsWith(name))) return undefined;
  const index =
    by === "page" ? number - 1 : by === "last" || by === "skip" ? number / pageSize : number;
  return Number.isInteger(index) && index >= 0 && at !== "" ? index : undefined;
}

function listRows({ row = { id: "$id", name: "$name" } }: ListStyle, index: number): unknown[] {
  const length = index < pageCount ? pageSize : 0;
  return Array.from({ length }, (_, place) => {
    const number = index * pageSize + place + 1;
    return fill(row, false, (name) => ({ $id: `r${number}`, $name: `Row ${number}` })[name]);
  });
}

/** The answer with a page, and its `Link` header. */
export function writePage(
  style: ListStyle,
  { index, url }: Page,
): { body: unknown; link?: string } {
  const isLast = index + 1 >= pageCount;
  const next = new URL(url);
  next.searchParams.set(style.next[1].replace(/^\w+:/, ""), `p${index + 1}`);
  const link = String(next);
  const numbers = {
    page: index + 1,
    pages: pageCount,
    skip: index * pageSize,
    size: pageSize,
    total: rowCount,
  };
  const values: Record<string, unknown> = {
    $rows: listRows(style, index),
    ...{ $more: !isLast, $done: isLast, $last: `r${(index + 1) * pageSize}` },
    ...{ $cursor: isLast ? null : `c${index + 1}`, $link: isLast ? null : link },
    $path: isLast ? null : `${next.pathname}${next.search}`,
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [`$${name}`, value])),
    ...Object.fromEntries(
      Object.entries(numbers).map(([name, value]) => [`$$${name}`, String(value)]),
    ),
  };
  const [ofNext, ofLast] = style.header ?? [];
  const text = isLast ? ofLast : ofNext;
  return {
    body: fill(style.answer, isLast, (name) => values[name]),
    ...(text ? { link: text.replaceAll("$link", link) } : {}),
  };
}

/** @param read - The value of a name; undefined for a text that is not one. */
function fill(template: unknown, isLast: boolean, read: (name: string) => unknown): unknown {
  if (typeof template === "string") {
    const value = read(template);
    if (value !== undefined || !template.includes("$"))
      return value === undefined ? template : value;
    return template.replace(/\$\w+/g, (name) => String(read(name) ?? name));
  }
  if (Array.isArray(template)) return template.map((each) => fill(each, isLast, read));
  if (typeof template !== "object" || template === null) return template;
  const members = Object.entries(template).filter(([name]) => !(isLast && name.endsWith("?")));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name.replace(/[?!]$/, ""),
      isLast && name.endsWith("!") ? null : fill(value, isLast, read),
    ]),
  );
}

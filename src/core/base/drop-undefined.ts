/** Plain data in which what is not known is absent. */

type Optional<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** The members that are not `undefined`. */
export function dropUndefined<const Members extends object>(members: Members): Optional<Members> {
  const known: Partial<Members> = {};
  // Not by a list of entries: each call does this some fifteen times.
  for (const name of Object.keys(members) as (keyof Members)[])
    if (members[name] !== undefined) known[name] = members[name];
  return known as unknown as Optional<Members>;
}

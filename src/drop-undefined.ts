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
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Optional<Members>;
}

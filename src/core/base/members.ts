/** Lists the members of objects, of which some are maps of a hundred thousand keys. */

/** An object of a document, whatever its values. */
interface Members<Value> {
  readonly [key: string]: Value;
}

/** An object with more members is a map, such as hosts by name: its keys are data, and mean nothing to this package. */
const mostNamedMembers = 5_000;
/** To list the keys of an object with more members takes a millisecond and more, and many steps of a call do. */
const mostCheapKeys = 200;
/** No document is changed once it is read. */
const wideKeys = new WeakMap<object, readonly string[]>();

/** All keys of an object of a document. */
export function listKeys(object: object): readonly string[] {
  const known = wideKeys.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  if (keys.length > mostCheapKeys) wideKeys.set(object, keys);
  return keys;
}

/** Whether an object is a map, without a shape, a state or fields. */
export function isMap(object: object): boolean {
  return listKeys(object).length > mostNamedMembers;
}

/** The first members of an object, at most so many. Not by `Object.entries`: it makes a list of all of them first. */
export function listMembers<Value>(
  object: Members<Value>,
  most: number,
): (readonly [key: string, value: Value])[] {
  return listKeys(object)
    .slice(0, most)
    .flatMap((key): [string, Value][] => {
      const value = object[key];
      return value === undefined ? [] : [[key, value]];
    });
}

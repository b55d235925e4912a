export interface Measures {
  readonly file: string;
  readonly tokens: number;
  /** Those with code. */
  readonly lines: number;
  readonly characters: number;
  readonly longestLine: number;
  readonly regularExpressions: number;
  /** Types that are only the `ReturnType` of a function. */
  readonly inferredTypes: number;
  readonly functions: readonly { name: string; line: number; lines: number }[];
  /** Conditional expressions inside of others. */
  readonly nestedConditionals: readonly { line: number }[];
  readonly invertedComments: readonly { line: number; text: string }[];
  /** Variables of the module that a call can change. */
  readonly state: readonly string[];
}
export declare function measureSources(root: string): readonly Measures[];
export declare function measureText(file: string, text: string): Measures;

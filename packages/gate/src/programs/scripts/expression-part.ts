/**
 * The source of a pattern for one part of a delimited regular expression: a character, an escape, or a whole bracket
 * expression. Awks and seds agree on where a bracket expression ends only if it contains neither the delimiter nor
 * another opening bracket: some read `[[:alpha:]` as still open.
 */
export const expressionPart = (delimiter: string) =>
  String.raw`(?:[^${delimiter}\\\n[]|\\[^\n]|\[(?!\^?\])(?:\[:[a-z]+:\]|[^[\]\\${delimiter}\n]|\\[^[\]\n])+\])`;

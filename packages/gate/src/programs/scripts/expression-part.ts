/**
 * One part of a regular expression between delimiters, as the text of a pattern: a character, an escape, or a whole bracket.
 * Where a bracket ends decides where the program goes on, and its readers agree on that only if neither the delimiter nor
 * another opening bracket is in it: to some `[[:alpha:]` is one that is still open, and all behind it belongs to it.
 */
export const expressionPart = (delimiter: string) =>
  String.raw`(?:[^${delimiter}\\\n[]|\\[^\n]|\[(?!\^?\])(?:\[:[a-z]+:\]|[^[\]\\${delimiter}\n]|\\[^[\]\n])+\])`;

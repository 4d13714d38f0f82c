const MAX_TITLE = 60;

/** Makes the title of a session from its first message: the first line with letters or digits, cut at a word. */
export function makeTitle(text: string): string | undefined {
  const line = text
    .split("\n")
    .map((each) => each.replace(/[\p{Cc}\s]+/gu, " ").trim())
    .find((each) => /[\p{L}\p{N}]/u.test(each));
  if (line === undefined) return undefined;
  if (line.length <= MAX_TITLE) return line;
  const cut = line
    .slice(0, MAX_TITLE - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > MAX_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

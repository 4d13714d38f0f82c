/** A comment without its marks, in plain lines. Takes linear time. */
export function plainComment(comment: string): string {
  return comment
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^(?:\/\*+!?|\*+\/|\/\/[/!]?|\*+|#+!?|--|;+|[rRbBuU]{0,2}(?:"""|'''))\s?/, "")
        .replace(/(?:\*+\/|"""|''')$/, "")
        .trimEnd(),
    )
    .join("\n")
    .trim();
}

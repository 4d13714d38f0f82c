const HEAD_SHARE = 0.7;

/** A text of more than `maxChars` characters keeps 70 % of them at its beginning and 30 % at its end; `note` says what is missing. */
export function cutMiddle(text: string, maxChars: number, note: (left: number) => string): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = maxChars - head;
  const ends = [text.slice(0, head), text.slice(-tail)].map((end) =>
    end.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ""),
  );
  return ends.join(`\n${note(text.length - maxChars)}\n`);
}

import { textMark } from "./foreign-text.ts";

/**
 * A text of others between tags, for a message. Where it has such a tag itself, the last one gets a mark that the text does not
 * contain, so that it ends where it ends. `attributes`: `path="a.ts"`, from `quotedAttribute`.
 */
export function taggedText(tag: string, attributes: string, text: string): string {
  const start = attributes === "" ? `<${tag}>` : `<${tag} ${attributes}>`;
  if (!looksClosed(text, tag)) return `${start}\n${text}\n</${tag}>`;
  const { opening, ending } = textMark(text);
  return `${start} (${opening})\n${text}\n${ending}\n</${tag}>`;
}

/** Is there an end of such a tag in the text, or what looks like one to a reader? */
export function looksClosed(text: string, tag: string): boolean {
  const end = new RegExp(`(?:[<\\u2039\\u27e8\\u3008]|&lt;)\\s{0,20}[/\\u2044\\u2215\\u29f8]\\s{0,20}${tag}`, "i");
  return end.test(text) || (unusual.test(text) && end.test(text.normalize("NFKC").replace(unseen, "")));
}

const unusual = /[^\t\n\r -~]/;
const unseen = /[\p{Cf}\p{Cc}\p{Mn}\p{Co}\p{Cn}\p{Cs}]/gu;

/** A value between quotation marks on one line, whatever is in it. */
export function quotedAttribute(value: string): string {
  const plain = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}"<>]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
  return `"${plain}"`;
}

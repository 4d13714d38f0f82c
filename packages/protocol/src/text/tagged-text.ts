import { textMark } from "./foreign-text.ts";

/**
 * A text of others between tags, for a message. Where it has such a tag itself, the last one gets a mark that the text does not
 * contain, so that it ends where it ends. `attributes`: `path="a.ts"`, from `quotedAttribute`.
 */
export function taggedText(tag: string, attributes: string, text: string): string {
  const start = attributes === "" ? `<${tag}>` : `<${tag} ${attributes}>`;
  if (!new RegExp(`<\\s{0,20}/\\s{0,20}${tag}`, "i").test(text)) return `${start}\n${text}\n</${tag}>`;
  const { opening, ending } = textMark(text);
  return `${start} (${opening})\n${text}\n${ending}\n</${tag}>`;
}

/** A value between quotation marks on one line, whatever is in it. */
export function quotedAttribute(value: string): string {
  const plain = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}"<>]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
  return `"${plain}"`;
}

import { textMark } from "./foreign-text.ts";

/**
 * Foreign text between tags, for a message. If it contains such a tag itself, the closing tag gets a mark that the text
 * does not contain, so that it ends in one place only. `attributes`: `path="a.ts"`, from `quotedAttribute`.
 */
export function taggedText(tag: string, attributes: string, text: string): string {
  const start = attributes === "" ? `<${tag}>` : `<${tag} ${attributes}>`;
  if (!looksClosed(text, tag)) return `${start}\n${text}\n</${tag}>`;
  const { opening, ending } = textMark(text);
  return `${start} (${opening})\n${text}\n${ending}\n</${tag}>`;
}

/** True if the text contains a closing tag, or something that looks like one to a reader. */
export function looksClosed(text: string, tag: string): boolean {
  const end = new RegExp(`(?:[<\\u2039\\u27e8\\u3008]|&lt;)\\s{0,20}[/\\u2044\\u2215\\u29f8]\\s{0,20}${tag}`, "i");
  return end.test(text) || (unusual.test(text) && end.test(text.normalize("NFKC").replace(unseen, "")));
}

const unusual = /[^\t\n\r -~]/;
const unseen = /[\p{Cf}\p{Cc}\p{Mn}\p{Co}\p{Cn}\p{Cs}]/gu;

/** A quoted value on one line, whatever it contains. */
export function quotedAttribute(value: string): string {
  const plain = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}"<>]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
  return `"${plain}"`;
}

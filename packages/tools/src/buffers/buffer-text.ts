// The text of an editor beside the bytes of its file. Editors may take out the byte order mark and show every line end
// as LF, and put both back when they save.

const BOM = "\uFEFF";

/** How a client gives the text of a file: without the mark, with line ends of its own. */
export type BufferForm = { isBare: boolean; isUnix: boolean };

function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** True if they differ at most in the byte order mark and in line ends. */
export function isSameText(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

/** The bytes that saving would write, with the mark and the line ends of the file. `disk`: its bytes, in UTF-8. */
export function savedBytes(text: string, disk: Buffer): Buffer {
  const was = disk.toString();
  if (isSameText(text, was)) return disk;
  const marked = was.startsWith(BOM) && !text.startsWith(BOM) ? BOM + text : text;
  return Buffer.from(hasDosEnds(was) && !text.includes("\r") ? marked.replaceAll("\n", "\r\n") : marked);
}

/** The form in which a client has given a file. */
export function formOf(text: string, disk: Buffer): BufferForm {
  const was = disk.toString();
  return { isBare: was.startsWith(BOM) && !text.startsWith(BOM), isUnix: was.includes("\r\n") && !text.includes("\r") };
}

/** A new content of the file in the form in which its client gives it. */
export function textInForm(bytes: Buffer, { isBare, isUnix }: BufferForm): string {
  const text = bytes.toString();
  const bare = isBare ? text.replace(/^\uFEFF/, "") : text;
  return isUnix ? bare.replaceAll("\r\n", "\n") : bare;
}

/** True if any client shows and saves it as it is: there is no mark and no line end but LF. */
export function isPlainText(bytes: Buffer): boolean {
  return !bytes.includes(0x0d) && !bytes.toString("utf8", 0, 3).startsWith(BOM);
}

/** True if every line ends with CRLF, and there are lines. */
function hasDosEnds(text: string): boolean {
  const ends = text.split("\n").length - 1;
  return ends > 0 && text.split("\r\n").length - 1 === ends;
}

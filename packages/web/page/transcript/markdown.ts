import { element } from "../dom.ts";

const FENCE = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const QUOTE = /^\s*>\s?(.*)$/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;

/**
 * The Markdown of answers as elements: paragraphs, headings, lists, quotes, code, and links to web pages. Everything
 * else stays text; nothing of it is read as HTML.
 */
export function markdown(text: string): HTMLElement {
  const root = element("div", { class: "markdown" });
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) at = addBlock(root, lines, at);
  return root;
}

/** Adds the block that begins at a line; returns the line after it. */
function addBlock(root: HTMLElement, lines: readonly string[], at: number): number {
  const line = lines[at] ?? "";
  if (line.trim() === "") return at + 1;
  const [, fence, language = ""] = FENCE.exec(line) ?? [];
  if (fence !== undefined) return addCode(root, lines, { at, fence, language });
  const [, marks, title = ""] = HEADING.exec(line) ?? [];
  if (marks !== undefined) {
    root.append(element(marks.length < 3 ? "h3" : "h4", {}, ...inline(title)));
    return at + 1;
  }
  if (RULE.test(line)) {
    root.append(element("hr"));
    return at + 1;
  }
  if (ITEM.test(line)) return addList(root, lines, at);
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, (each) => QUOTE.test(each));
    const quoted = lines.slice(at, end).map((each) => QUOTE.exec(each)?.[1] ?? "");
    root.append(element("blockquote", {}, ...inline(quoted.join("\n"))));
    return end;
  }
  const end = endOf(
    lines,
    at,
    (each) => each.trim() !== "" && !FENCE.test(each) && !HEADING.test(each) && !ITEM.test(each),
  );
  root.append(element("p", {}, ...inline(lines.slice(at, end).join("\n"))));
  return end;
}

function endOf(lines: readonly string[], at: number, goesOn: (line: string) => boolean): number {
  let end = at + 1;
  while (end < lines.length && goesOn(lines[end] ?? "")) end += 1;
  return end;
}

/** A block of code, or the beginning of one that is still being written. */
function addCode(
  root: HTMLElement,
  lines: readonly string[],
  { at, fence, language }: { at: number; fence: string; language: string },
): number {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").trim().startsWith(fence)) end += 1;
  root.append(element("pre", { class: "code", "data-language": language }, lines.slice(at + 1, end).join("\n")));
  return end + 1;
}

function addList(root: HTMLElement, lines: readonly string[], at: number): number {
  const isNumbered = ITEM.exec(lines[at] ?? "")?.[2] !== undefined;
  const first = ITEM.exec(lines[at] ?? "")?.[2];
  const list = element(isNumbered ? "ol" : "ul", isNumbered ? { start: first } : {});
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const [, indent = "", , text = ""] = ITEM.exec(line) ?? [];
    if (ITEM.test(line)) {
      const level = Math.min(4, Math.floor(indent.length / 2));
      list.append(element("li", { class: `level-${level}` }, ...inline(text)));
    } else if (/^\s{2,}\S/.test(line)) list.lastElementChild?.append("\n", ...inline(line.trim()));
    else break;
  }
  root.append(list);
  return end;
}

/** Code, bold, italic, and links with an address of the web. */
const INLINE =
  /(`+)([^`]+?)\1(?!`)|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?!\w)|\[([^\]\n]+)\]\((https?:\/\/[^)\s]+)\)/g;

function inline(text: string): (Node | string)[] {
  const made: (Node | string)[] = [];
  let done = 0;
  for (const match of text.matchAll(INLINE)) {
    made.push(text.slice(done, match.index));
    done = match.index + match[0].length;
    const [, , code, bold, italic, label, address] = match;
    if (code !== undefined) made.push(element("code", {}, code));
    else if (bold !== undefined) made.push(element("strong", {}, bold));
    else if (italic !== undefined) made.push(element("em", {}, italic));
    else if (address !== undefined) made.push(link(label ?? address, address));
  }
  made.push(text.slice(done));
  return made;
}

/** Says where it leads: a model may have written the label. */
function link(label: string, address: string): HTMLElement {
  const shown = label === address ? "" : ` (${hostOf(address)})`;
  return element(
    "span",
    {},
    element("a", { href: address, target: "_blank", rel: "noopener noreferrer", title: address }, label),
    shown,
  );
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

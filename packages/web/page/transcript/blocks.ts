import type { Block } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";
import { firstLines, outputText } from "../shown-text.ts";
import { markdown } from "./markdown.ts";

/** More lines of an output than this are counted. */
const MAX_LINES = 400;

/** `isWhole`: nothing of it may be left out. `root`: the folder that paths are shown relative to. */
type BlockOptions = { isWhole?: boolean; root?: string };

/** A part of a result, or of what a permission is about. */
export function blockElement(block: Block, { isWhole = false, root = "" }: BlockOptions = {}): HTMLElement {
  switch (block.type) {
    case "text":
      return output(block.text, isWhole);
    case "markdown":
      return markdown(block.text);
    case "diff":
      return diff(block, isWhole, root);
    case "terminal":
      return terminal(block, isWhole);
    case "list":
      return output(block.items.map(({ text, detail }) => (detail ? `${text}  ${detail}` : text)).join("\n"), isWhole);
    case "tree":
      return output(block.entries.map(({ path, directory }) => (directory ? `${path}/` : path)).join("\n"), isWhole);
    case "todo":
      return element(
        "ul",
        { class: "todo" },
        ...block.items.map(({ text, status }) => element("li", { class: status }, visibleText(text))),
      );
    case "table":
      return table(block.columns, block.rows);
    case "image":
      return output(block.description, isWhole);
    default:
      return output(JSON.stringify("value" in block ? block.value : block, undefined, 1), isWhole);
  }
}

function output(text: string, isWhole: boolean): HTMLElement {
  const shown = firstLines(outputText(text).trimEnd(), isWhole ? Number.POSITIVE_INFINITY : MAX_LINES);
  return element(
    "pre",
    { class: "output" },
    shown.text,
    shown.more > 0 && element("span", { class: "muted" }, `\n… ${shown.more} more lines`),
  );
}

function terminal({ command, output: text, exitCode }: Block & { type: "terminal" }, isWhole: boolean): HTMLElement {
  return element(
    "div",
    { class: "terminal" },
    element("pre", { class: "command" }, visibleLines(command)),
    text !== "" && output(text, isWhole),
    exitCode !== null && exitCode !== 0 && element("p", { class: "error" }, `Exit code ${exitCode}`),
  );
}

/** Text to be judged: every hidden character is visible. */
function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(visibleText).join("\t"))
    .join("\n");
}

const changes = { create: "new file", modify: "", delete: "deleted" } as const;

function diff(
  { path, change, hunks, added, removed }: Block & { type: "diff" },
  isWhole: boolean,
  root: string,
): HTMLElement {
  const shown = firstLines(hunks.replace(/\n$/, ""), isWhole ? Number.POSITIVE_INFINITY : MAX_LINES);
  const title = [visibleText(shownPath(path, root)), changes[change], `+${added} −${removed}`]
    .filter((each) => each !== "")
    .join(" · ");
  return element(
    "figure",
    { class: "diff" },
    element("figcaption", {}, title),
    diffLines(shown.text.split("\n")),
    shown.more > 0 && element("p", { class: "muted" }, `… ${shown.more} more lines`),
  );
}

export function shownPath(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

const lineClasses: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

/** Lines that begin with ` `, `+`, `-` or `@@`. */
export function diffLines(lines: readonly string[]): HTMLElement {
  return element(
    "pre",
    {},
    ...lines.map((line) => {
      const look = lineClasses[line[0] ?? ""] ?? "same";
      return element("span", { class: look }, `${look === "place" ? placeText(line) : visibleLines(line)}\n`);
    }),
  );
}

/** `@@ -12,3 +14,4 @@` is where the next lines are. */
function placeText(line: string): string {
  const [, at = "0"] = /\+(\d+)/.exec(line) ?? [];
  return at === "0" ? "empty" : `line ${at}`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const cells = (texts: readonly string[], tag: "th" | "td") =>
    element("tr", {}, ...texts.map((text) => element(tag, {}, visibleText(text))));
  return element("table", {}, cells(columns, "th"), ...rows.slice(0, MAX_LINES).map((row) => cells(row, "td")));
}

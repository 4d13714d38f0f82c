import { type Block, blocksOf } from "@harness/protocol";
import { conversationOf, type Entry } from "./conversation.ts";
import type { ExportWriter } from "./export-source.ts";
import { readableText } from "./readable-text.ts";

/** The conversation with the main agent: messages, each call on one line, and its result. */
export const markdownExport: ExportWriter = {
  title: "Markdown",
  ending: ".md",
  *write(source) {
    let before: Entry["kind"] | undefined;
    for (const entry of conversationOf(source)) {
      const text = markdownOf(entry);
      if (text === "") continue;
      const isList = before === "call" && entry.kind === "call";
      if (before !== undefined) yield isList ? "\n" : "\n\n";
      yield text;
      before = entry.kind;
    }
    if (before !== undefined) yield "\n";
  },
};

const SENDERS: Readonly<Record<Extract<Entry, { kind: "message" }>["from"], string>> = {
  person: "",
  subagent: "*A task, or the result of a subagent:*",
  agent: "*From another agent:*",
};

function markdownOf(entry: Entry): string {
  switch (entry.kind) {
    case "message":
      return quoted([
        SENDERS[entry.from],
        readableText(entry.text).trim(),
        ...entry.images.map(({ name }) => `[image${name ? ` ${oneLine(name)}` : ""}]`),
      ]);
    case "reply":
      return [said(entry.text), entry.isCut ? "*(stopped)*" : ""].filter((text) => text !== "").join("\n\n");
    case "call": {
      const { title, byPerson, outcome } = entry;
      const state = outcome === undefined || outcome.status === "ok" ? "" : ` (${outcome.status})`;
      return [
        `- ${byPerson ? "! " : ""}${oneLine(title)}${state}`,
        ...(outcome ? blocksOf(outcome).map(fencedBlock) : ["(no result)"]),
      ]
        .filter((text) => text !== "")
        .join("\n\n  ");
    }
    case "subagent": {
      const state = entry.state === "completed" ? "" : ` (${entry.state})`;
      return [
        `- Subagent ${oneLine(entry.name ?? entry.agentId)}: ${oneLine(entry.task)}${state}`,
        fenced(entry.output ?? ""),
      ]
        .filter((text) => text !== "")
        .join("\n\n  ");
    }
    case "summary":
      return `*Older messages were summarised here:*\n\n${said(entry.text)}`;
    case "note":
      return `*${oneLine([entry.title, entry.description].filter((text) => text !== undefined).join(" "))}*`;
    case "end":
      return [said(entry.output ?? ""), entry.sentence === undefined ? "" : `*${oneLine(entry.sentence)}*`]
        .filter((text) => text !== "")
        .join("\n\n");
  }
}

/** Markdown from elsewhere: a fence left open in it would swallow everything after it. */
function said(text: string): string {
  const body = readableText(text).trim();
  let fence = "";
  for (const line of body.split("\n")) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
  }
  return fence === "" ? body : `${body}\n${fence}`;
}

function quoted(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== "")
    .join("\n\n")
    .replace(/^/gm, "> ")
    .replace(/^> $/, "");
}

/** Indented by two spaces, as a continuation of the list item. */
function fencedBlock(block: Block): string {
  return fenced(blockText(block), block.type === "diff" ? "diff" : "");
}

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
    case "markdown":
      return block.text;
    case "diff":
      return `--- ${block.path}\n+++ ${block.path}\n${block.hunks}`;
    case "terminal":
      return `$ ${block.command}\n${block.output}${block.exitCode === 0 ? "" : `\n(${endOf(block)})`}`;
    case "list":
      return rowsOf(
        block.items.map(({ text, detail }) => (detail === undefined ? text : `${text}  ${detail}`)),
        block.more,
      );
    case "tree":
      return rowsOf(
        block.entries.map(({ path, directory }) => (directory ? `${path}/` : path)),
        block.more,
      );
    case "todo":
      return block.items.map(({ text, status }) => `[${status === "completed" ? "x" : " "}] ${text}`).join("\n");
    case "table":
      return [block.columns, ...block.rows].map((cells) => cells.join(" | ")).join("\n");
    case "image":
      return `[image: ${block.description}]`;
    case "json":
      return JSON.stringify(block.value, null, 2) ?? "";
  }
}

function endOf({ exitCode, signal }: Extract<Block, { type: "terminal" }>): string {
  if (exitCode !== null) return `exit code ${exitCode}`;
  return signal === undefined ? "still running" : signal;
}

function rowsOf(rows: readonly string[], more: number | undefined): string {
  return [...rows, ...(more ? [`… ${more} more`] : [])].join("\n");
}

/** A text cannot end its own fence: the fence is longer than any in it. */
function fenced(text: string, language = ""): string {
  const body = readableText(text).trimEnd();
  if (body === "") return "";
  let longest = 2;
  for (const [run] of body.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${body}\n${fence}`.replaceAll("\n", "\n  ");
}

function oneLine(text: string): string {
  return readableText(text).replace(/\s+/g, " ").trim();
}

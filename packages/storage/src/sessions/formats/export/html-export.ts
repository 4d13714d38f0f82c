import { factsOf } from "@harness/core";
import { amount, localTime, type ToolOutcome } from "@harness/protocol";
import { conversationOf, type Entry } from "./conversation.ts";
import { type ExportedAgent, type ExportSource, type ExportWriter, hiddenBy, shownSubagents } from "./export-source.ts";
import { type MarkdownHtml, outcomeHtml } from "./html-outcome.ts";
import { HTML_STYLE } from "./html-style.ts";
import { escaped, picture, typedHtml } from "./html-text.ts";

/** One page that needs nothing else: no network, no scripts, no other files. */
export const htmlExport: ExportWriter = {
  title: "HTML",
  ending: ".html",
  async load() {
    const { markdownHtml: markdown } = await import("./markdown-html.ts");
    return { markdown };
  },
  *write(source) {
    const { header, hide } = source;
    const title = escaped(hide(source.title ?? `Session ${header.sessionId}`));
    yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${POLICY}\n`;
    yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n`;
    yield `<style>${HTML_STYLE}</style>\n</head>\n<body>\n<header><h1>${title}</h1>\n`;
    for (const line of headLines(source))
      yield `<p class="note">${line.map((each) => escaped(hide(each))).join(" · ")}</p>\n`;
    yield "</header>\n<main>\n";
    yield* section(source);
    yield "</main>\n";
    for (const agent of shownSubagents(source)) {
      yield `<details class="agent"><summary><span><b>Subagent ${escaped(nameOf(agent))}</b> ${escaped(agent.task)}</span></summary>\n`;
      // A link to a folded part unfolds it.
      yield `<div id="${anchor(agent.agentId)}">\n`;
      yield* section(source, agent);
      yield "</div></details>\n";
    }
    yield `<footer class="note">Exported by harness ${escaped(source.version)}.</footer>\n</body>\n</html>\n`;
  },
};

/** Even if a text became markup, nothing would be run or fetched. */
const POLICY =
  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

/** The first things a reader wants to know: when, where, and with which models. */
function headLines(source: ExportSource): string[][] {
  const { header, pages } = source;
  const { date, minutes } = localTime(header.createdAt);
  const isHidden = hiddenBy(source);
  const models = new Set<string>();
  let messages = 0;
  for (const fact of factsOf(pages, { kinds: ["user_message", "agent_message"] })) {
    if (isHidden(fact)) continue;
    if (fact.update.sessionUpdate === "agent_message") models.add(fact.update.model);
    else if (fact.update.sessionUpdate === "user_message" && fact.update.origin === "user") messages += 1;
  }
  const { parent } = header;
  return [
    [`${date} ${minutes}`, header.cwd],
    [
      ...models,
      amount(messages, "message"),
      `session ${header.sessionId}`,
      ...(parent === undefined ? [] : [`${parent.seq > 0 ? "fork of" : "follows"} ${parent.sessionId}`]),
    ],
  ];
}

const SENDERS: Readonly<Record<Extract<Entry, { kind: "message" }>["from"], string>> = {
  person: "",
  subagent: "Its task, or the result of a subagent",
  agent: "From another agent",
};

/** Consecutive calls share a box. */
function* section(source: ExportSource, agent?: ExportedAgent): Generator<string, void> {
  const { markdown = typedHtml } = source;
  let isBoxOpen = false;
  for (const entry of conversationOf(source, agent)) {
    const html = entryHtml(entry, markdown);
    if (html === "") continue;
    const isCall = entry.kind === "call" || entry.kind === "subagent";
    if (isCall !== isBoxOpen) yield isCall ? '<div class="calls">\n' : "</div>\n";
    isBoxOpen = isCall;
    yield `${html}\n`;
  }
  if (isBoxOpen) yield "</div>\n";
}

function entryHtml(entry: Entry, markdown: MarkdownHtml): string {
  switch (entry.kind) {
    case "message":
      return messageHtml(entry);
    case "reply": {
      const thoughts = entry.thoughts === "" ? "" : folded("Thoughts", markdown(entry.thoughts), { kind: "thoughts" });
      const body = `${thoughts}${markdown(entry.text)}${entry.isCut ? '<p class="note">(stopped)</p>' : ""}`;
      return body === "" ? "" : `<section class="reply">${body}</section>`;
    }
    case "call":
      return callHtml(entry, markdown);
    case "subagent": {
      const label = `<b>Subagent ${escaped(entry.name ?? entry.agentId)}</b> ${escaped(entry.task)}`;
      const link = `<p><a href="#${anchor(entry.agentId)}">Its conversation</a></p>`;
      const kind = entry.state === "failed" ? "failed" : "";
      const end = entry.state === "completed" ? "" : entry.state;
      return folded(label, `${markdown(entry.output ?? "")}${link}`, { kind, end });
    }
    case "summary":
      return folded("Older messages were summarised here", markdown(entry.text), { kind: "thoughts" });
    case "note":
      return `<p class="note">${escaped([entry.title, entry.description].filter((text) => text !== undefined).join(" "))}</p>`;
    case "end": {
      const note = entry.sentence === undefined ? "" : `<p class="note">${escaped(entry.sentence)}</p>`;
      return `<section class="reply${note === "" ? "" : " problem"}">${markdown(entry.output ?? "")}${note}</section>`;
    }
  }
}

function messageHtml({ from, text, images, at }: Extract<Entry, { kind: "message" }>): string {
  const sender = SENDERS[from];
  const note = sender === "" ? "" : `<p class="note">${sender}</p>`;
  const { date, minutes } = localTime(at);
  const time = `<time class="when" datetime="${escaped(at)}">${date} ${minutes}</time>`;
  return `<section class="person"><div>${note}${typedHtml(text)}${images.map(picture).join("")}</div>${time}</section>`;
}

function callHtml({ name, title, outcome }: Extract<Entry, { kind: "call" }>, markdown: MarkdownHtml): string {
  const what = title.startsWith(name) ? title.slice(name.length).trim() : title;
  const label = `<b>${escaped(name)}</b>${what === "" ? "" : ` ${escaped(what)}`}`;
  if (!outcome) return folded(label, '<p class="note">It had not ended.</p>', { end: "not ended" });
  const isOk = outcome.status === "ok";
  const body = outcomeHtml(outcome, markdown);
  return folded(label, body, isOk ? { changes: changesOf(outcome) } : { kind: "failed", end: outcome.status });
}

/** The changed lines of a call, as markup; "": it changed no file. */
function changesOf({ blocks = [] }: ToolOutcome): string {
  const diffs = blocks.filter((block) => block.type === "diff");
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + Number(count), 0);
  if (diffs.length === 0) return "";
  return `<ins>+${sum(diffs.map(({ added }) => added))}</ins> <del>−${sum(diffs.map(({ removed }) => removed))}</del>`;
}

/** `label`, `body` and `changes` are markup; `end` is how it ended. */
function folded(
  label: string,
  body: string,
  { kind = "", end = "", changes = "" }: { kind?: string; end?: string; changes?: string } = {},
): string {
  const right = end === "" ? changes : escaped(end);
  const summary = `<span>${label}</span>${right === "" ? "" : `<span class="end">${right}</span>`}`;
  return `<details${kind === "" ? "" : ` class="${kind}"`}><summary>${summary}</summary>\n<div>${body}</div></details>`;
}

function nameOf({ name, agentId }: ExportedAgent): string {
  return name ?? agentId;
}

function anchor(agentId: string): string {
  return `agent-${agentId.replace(/[^\w.-]/g, "_")}`;
}

import { type AgentPart, blocksOf, saidText, type TranscriptItem, textOf } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";
import { outputText } from "../shown-text.ts";
import { blockElement } from "./blocks.ts";
import { markdown } from "./markdown.ts";

type Item<K extends TranscriptItem["kind"]> = Extract<TranscriptItem, { kind: K }>;

const drawn: { [K in TranscriptItem["kind"]]: (item: Item<K>, root: string) => HTMLElement | undefined } = {
  user: ({ content, origin }) =>
    element("article", { class: `user ${origin}` }, visibleLinesOf(saidText(content) || "(images)")),
  agent: ({ parts, cut }) => agentReply(parts, cut),
  tool: (item, root) => toolCall(item, root),
  repair: () => undefined,
  notice: ({ severity, title, description }) =>
    element("article", { class: `notice ${severity}` }, visibleLinesOf([title, description ?? ""].join("\n").trim())),
  turn: ({ error, stopReason }) => {
    const text = error?.message ?? (stopReason === "cancelled" ? "Stopped." : undefined);
    return text === undefined
      ? element("hr", { class: "turn" })
      : element("article", { class: "notice error" }, visibleLinesOf(text));
  },
  rewind: ({ title = "Files were reverted.", description }) =>
    element("article", { class: "notice info" }, visibleLinesOf([title, description ?? ""].join("\n").trim())),
  process: ({ processId, command, state }) =>
    element("article", { class: "notice info" }, `${visibleText(processId)}: ${visibleText(command)} (${state})`),
  compaction: () => element("article", { class: "notice info" }, "Earlier messages were summarised."),
  subagent: ({ childAgentId, name, task, state, output = "" }) =>
    element(
      "details",
      { class: "tool" },
      element(
        "summary",
        {},
        `${state === "running" ? "◐" : "●"} ${visibleText(name ?? childAgentId)}  ${visibleText(task)}`,
      ),
      output !== "" && markdown(output),
    ),
};

/** An entry of the transcript; undefined: people do not need to see it. `root`: paths are shown relative to it. */
export function itemElement(item: TranscriptItem, root: string): HTMLElement | undefined {
  const draw = drawn[item.kind] as (item: TranscriptItem, root: string) => HTMLElement | undefined;
  return draw(item, root);
}

function agentReply(parts: readonly AgentPart[], isCut: boolean): HTMLElement | undefined {
  const text = textOf(parts).trim();
  if (text === "" && !isCut) return undefined;
  return element(
    "article",
    { class: "agent" },
    markdown(text),
    isCut && element("p", { class: "muted" }, "The answer was cut off."),
  );
}

const glyphs: Record<string, string> = { pending: "○", in_progress: "◐", completed: "●", failed: "✗" };
/** A result that is the point of its call is open at once. */
const OPEN_BLOCKS = ["diff", "todo"];

function toolCall({ title, status, outcome }: Item<"tool">, root: string): HTMLElement {
  const blocks = outcome ? blocksOf(outcome) : [];
  const isDenied = outcome?.status === "denied" || outcome?.status === "cancelled";
  return element(
    "details",
    { class: `tool ${status}`, open: blocks.some(({ type }) => OPEN_BLOCKS.includes(type)) },
    element(
      "summary",
      {},
      `${isDenied ? "⊘" : (glyphs[status] ?? "●")} ${visibleText(title)}${isDenied ? `  ${outcome?.status}` : ""}`,
    ),
    ...blocks.map((block) => blockElement(block, { root })),
  );
}

/** Text of a person or of harness itself, line by line as it was written. */
function visibleLinesOf(text: string): HTMLElement {
  return element("p", { class: "lines" }, outputText(text));
}

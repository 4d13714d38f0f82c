import {
  type ContextReport,
  type ContextSectionName,
  type ContextWindowSource,
  type DroppablePart,
  ROOT_AGENT,
} from "@harness/protocol";
import type { ServerCommand } from "../server-command.ts";

const MAX_NAMED = 5;

export const contextCommand: ServerCommand = {
  description: "Show what fills the context window, what could be left out, and where its size comes from.",
  argumentHint: "[AGENT]",
  needsSession: true,
  async run({ session, host }, args) {
    const report = await session.contextReport(args === "" ? undefined : args);
    if ("problem" in report) return report.problem;
    return host.sessions.live.need(session.sessionId).hide(contextText(report));
  },
};

const sectionNames: Readonly<Record<ContextSectionName, string>> = {
  system: "system text",
  prompt_fragments: "prompt fragments",
  workspace: "workspace",
  repository_map: "repository map",
  instruction_files: "instruction files",
  pinned_files: "pinned files",
  skills: "skills",
  tools: "tools",
  conversation: "conversation",
  tool_results: "tool results",
  volatile: "working context",
};

/** The source of the size. */
const sourceTexts: Readonly<Record<ContextWindowSource, string>> = {
  setting: "set by context_limit, in your settings or the project's",
  server: "reported by its server",
  table: "from the table of known models",
  assumed: "assumed; set context_limit if it is wrong",
};

function contextText(report: ContextReport): string {
  const { agentId, usedTokens, usableTokens, windowTokens, model, sections, droppable, truncated } = report;
  const whose = agentId === ROOT_AGENT ? "" : ` of ${agentId}`;
  const counted = report.isCounted ? "counted by the server" : "estimated";
  const shown = sections.filter(({ tokens }) => tokens > 0);
  const width = Math.max(...shown.map(({ section }) => sectionNames[section].length), 0);
  return [
    `The context window${whose} is ${percent(usedTokens, usableTokens)} full: ${amount(usedTokens)} of ${amount(usableTokens)} usable tokens (${counted}).`,
    `The context window of ${model} has ${amount(windowTokens)} tokens (${sourceTexts[report.windowSource]}); the rest is reserved for its reply.`,
    ...(truncated ? [`The server read only ${amount(truncated.readTokens)} tokens of the last request.`] : []),
    "",
    ...shown.map(({ section, tokens }) =>
      `${sectionNames[section].padEnd(width)} ${amount(tokens).padStart(9)} ${percent(tokens, usableTokens).padStart(6)}`.trimEnd(),
    ),
    "",
    thresholdsText(report),
    ...(droppable.length > 0 ? ["", "What could be left out:", ...droppable.flatMap(droppableLines)] : []),
  ].join("\n");
}

function thresholdsText({ shrinkTokens, compactTokens }: ContextReport): string {
  const shrink = shrinkTokens === undefined ? "" : `Old results are shortened above ${amount(shrinkTokens)} tokens. `;
  if (compactTokens === undefined) return `${shrink}Older messages are summarised only with /compact.`;
  return `${shrink}Older messages are summarised above ${amount(compactTokens)} tokens, or with /compact.`;
}

function droppableLines({ title, tokens, advice, items }: DroppablePart): string[] {
  const named = items.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = items.length - named.length;
  const list = items.length > 1 ? [`    ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`] : [];
  return [`- ${title}: about ${amount(tokens)} tokens. ${advice}`, ...list];
}

function amount(tokens: number): string {
  return tokens.toLocaleString("en");
}

function percent(tokens: number, of: number): string {
  return `${Math.round((tokens / Math.max(1, of)) * 100)} %`;
}

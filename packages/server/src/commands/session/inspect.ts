import { localTime, type RequestReport, type RequestSection, ROOT_AGENT } from "@harness/protocol";
import { requestReport } from "../../inspection/request-report.ts";
import type { ServerCommand } from "../server-command.ts";

const sectionNames: Readonly<Record<RequestSection["section"], string>> = {
  options: "options",
  system: "system text",
  tools: "tools",
  conversation: "conversation",
  tool_results: "tool results",
};
const BAR = 16;
const MAX_NAMED = 3;

export const inspectCommand: ServerCommand = {
  description:
    "Show the last request to the model: its tokens by section, and how it differs from the one before; `full` or `json` shows all of it.",
  argumentHint: "[diff | full | json] [AGENT]",
  needsSession: true,
  async run({ session, host }, args) {
    const words = args.split(/\s+/).filter(Boolean);
    const how = ["diff", "full", "json"].find((each) => each === words[0]);
    const agentId = (how === undefined ? words[0] : words[1]) ?? ROOT_AGENT;
    const requests = host.sessions.sent.of(session.sessionId, agentId);
    if (!requests) return nothingOf(agentId);
    const report = await requestReport(requests, host.sessions.live.need(session.sessionId).hide);
    if (how === "json") return report.body;
    const hud = await host.sessions.hud.read(session.sessionId);
    const head = headOf(report, hud?.provider === report.provider ? hud.place : undefined);
    if (how === "full") return `${head}\n\n${report.text}`;
    return [head, "", ...sectionLines(report), "", ...differenceLines(report)].join("\n");
  },
};

function nothingOf(agentId: string): string {
  const whose = agentId === ROOT_AGENT ? "" : ` by ${agentId}`;
  return `No request has been sent${whose} since this session was opened. Requests are not stored.`;
}

function headOf({ at, provider, model, address, tokens }: RequestReport, place = `from ${provider}`): string {
  return `${model} ${place}, ${localTime(at).seconds}, about ${amount(tokens)} tokens\n${address}`;
}

function sectionLines({ sections, tokens }: RequestReport): string[] {
  const most = Math.max(1, ...sections.map((each) => each.tokens));
  return sections.map((each) => {
    const bar = "█".repeat(Math.max(1, Math.round((each.tokens / most) * BAR))).padEnd(BAR);
    const named = each.items.slice(0, MAX_NAMED).map(({ name }) => name);
    const more = each.parts - named.length;
    const what = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    const share = `${Math.round((each.tokens / Math.max(1, tokens)) * 100)} %`;
    return `${sectionNames[each.section].padEnd(13)} ${bar} ${amount(each.tokens).padStart(9)} ${share.padStart(5)}  ${what}`;
  });
}

function differenceLines({ difference }: RequestReport): string[] {
  if (!difference) return ["There is no earlier request to compare it with."];
  const { sameParts, parts, sameTokens, hunks, added, removed } = difference;
  if (sameParts === parts && hunks === "") return ["It is the same as the one before."];
  return [
    `The first ${sameParts} of ${parts} parts (about ${amount(sameTokens)} tokens) are the same as in the one before; after them +${added} −${removed} lines:`,
    hunks,
  ];
}

function amount(tokens: number): string {
  return tokens.toLocaleString("en");
}

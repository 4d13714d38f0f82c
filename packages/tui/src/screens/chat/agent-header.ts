import type { SessionState } from "@harness/protocol";
import { elapsed } from "../../figures/elapsed.ts";
import { shortCost } from "../../figures/short-cost.ts";
import { tokenCount } from "../../figures/token-count.ts";
import { agentPath } from "../../state/agents.ts";
import type { AppState } from "../../state/app-state.ts";
import { type Row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";
import { spread } from "../../widgets/boxes.ts";

const WHO = style({ fg: "accent", bold: true });
const MUTED = style({ fg: "muted" });

/** Narrower screens omit tokens and cost; the tree of agents has them. */
const ROOMY_COLUMNS = 100;

/** The first row over a subagent's transcript: the name of the agent in view, and how to go back. */
export function agentHeader(
  { agentInView: agentId, size: { columns }, keymap }: Pick<AppState, "agentInView" | "size" | "keymap">,
  session: SessionState,
  nowMs: number,
): Row {
  const agent = session.agents.get(agentId);
  const above = agentPath(session, agentId)
    .slice(0, -1)
    .map((each) => `${sanitiseLine(each)} › `);
  const name = agent?.name === undefined ? "" : ` (${sanitiseLine(agent.name)})`;
  const left = [
    span(" "),
    span(above.join(""), MUTED),
    span(`${sanitiseLine(agentId)}${name}`, WHO),
    span(`  ${sanitiseLine(agent?.task ?? "")}`),
  ];
  const { usage, cost } = agent?.total ?? { usage: {}, cost: undefined };
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  const isRoomy = columns >= ROOMY_COLUMNS;
  const facts = [
    ...(agent?.background ? ["background"] : []),
    agent?.run === "cancelled" ? "stopped" : (agent?.run ?? ""),
    ...(tokens > 0 && isRoomy ? [`${tokenCount(tokens)} tokens`] : []),
    ...(cost && cost.usd > 0 && isRoomy ? [shortCost(cost, "")] : []),
    ...(agent?.startedAt
      ? [elapsed((agent.endedAt ? Date.parse(agent.endedAt) : nowMs) - Date.parse(agent.startedAt))]
      : []),
  ];
  return truncateRow(
    spread(left, [span(`  ${facts.join(" · ")}${keymap.names.tail("anywhere.escape", "back")} `, MUTED)], columns),
    columns,
  );
}

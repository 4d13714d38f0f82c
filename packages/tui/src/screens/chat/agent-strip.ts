import { ROOT_AGENT } from "@harness/protocol";
import { elapsed } from "../../figures/elapsed.ts";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import { backgroundAgents, latestDoing } from "../../state/agents.ts";
import type { AppState } from "../../state/app-state.ts";
import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";

const MARK = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

type StripState = Pick<AppState, "session" | "agentInView" | "stopArmed" | "size" | "keymap">;

/** One row about the subagents at work beside the agent in view: how many, and what the longest-running one does. */
export function agentStrip(
  { session, agentInView, stopArmed, size, keymap }: StripState,
  nowMs: number,
): Row | undefined {
  if (!session) return undefined;
  const { columns } = size;
  if (stopArmed) {
    const warning = armedText(session, agentInView, keymap.names);
    if (warning !== undefined) return truncateRow(row(span(` ${warning}`, WARNING)), columns);
  }
  const { running } = session;
  const count = running.size - (running.has(agentInView) ? 1 : 0);
  if (count === 0) return undefined;
  const [first, second] = running;
  const longest = session.agents.get((first === agentInView ? second : first) ?? "");
  if (!longest) return undefined;
  const since = longest.startedAt === undefined ? "" : ` · ${elapsed(nowMs - Date.parse(longest.startedAt))}`;
  const who = `${count} ${count === 1 ? "agent" : "agents"}${agentInView === ROOT_AGENT ? "" : " besides"}`;
  const end = `${since}${keymap.names.tail("chat.agents", "opens")}`;
  const doing = sanitiseLine(latestDoing(longest));
  const text = row(
    span(" ◇ ", MARK),
    span(who),
    span(` · ${sanitiseLine(longest.agentId)}${doing === "" ? "" : `: ${doing}`}`, MUTED),
  );
  const body = truncateRow(text, Math.max(10, columns - end.length));
  return truncateRow(row(...body.spans, span(end, MUTED)), columns);
}

/** The effect of pressing the stop key a second time. */
function armedText(
  session: NonNullable<StripState["session"]>,
  agentInView: string,
  keys: KeyLabels,
): string | undefined {
  if (agentInView !== ROOT_AGENT) {
    return session.running.has(agentInView)
      ? keys.say(
          "anywhere.interrupt",
          (key) => `Press ${key} again to stop ${sanitiseLine(agentInView)} and the agents below it.`,
        )
      : undefined;
  }
  const count = backgroundAgents(session).length;
  if (count === 0) return undefined;
  const [keep, them] = count === 1 ? ["agent keeps", "it"] : ["agents keep", "them"];
  const again = keys.say("anywhere.escape", (key) => ` ${key} again stops ${them} too.`);
  return `${count} ${keep} running in the background.${again}`;
}

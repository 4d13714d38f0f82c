import type { AgentMode } from "@harness/protocol";
import type { Tool } from "../ports/tool.ts";
import { QUESTION } from "../tools/question.ts";
import { SWITCH_MODE } from "../tools/switch-mode.ts";
import { TODO } from "../tools/todo.ts";

/** The properties of a tool that a mode decides by. Names count only for core's own tools. */
type ModeTool = Pick<Tool, "category" | "area">;

type ModeRow = {
  /** Description for people. */
  doc: string;
  /** The restriction, as the end of a sentence about a tool. */
  lacks: string;
  offers(tool: ModeTool): boolean;
  /** Tools that are offered even in a small context window, because the mode depends on them. */
  alwaysOffered: readonly string[];
  /** Tools that are offered if there is room, because the mode is about them; otherwise they are found by searching. */
  offersWithRoom(tool: ModeTool & { name: string }): boolean;
  /** Tools that are named even in a small context window: a model does not search for a tool it does not know about. */
  names(tool: ModeTool & { name: string }): boolean;
};

const isOfWeb = ({ area }: ModeTool): boolean => area === "web";
const looks = ({ category }: ModeTool): boolean => category === "readOnly" || category === "signal";

/** Every mode, in the order that lists show them. */
export const modes: Readonly<Record<AgentMode, ModeRow>> = {
  casual: {
    doc: "Talks and looks things up on the web; has no tools for files or commands.",
    lacks: "only talks and looks on the web",
    offers: isOfWeb,
    alwaysOffered: [],
    offersWithRoom: isOfWeb,
    names: isOfWeb,
  },
  planning: {
    doc: "Reads and plans, changes nothing.",
    lacks: "only looks and plans",
    offers: looks,
    alwaysOffered: [SWITCH_MODE],
    offersWithRoom: ({ name }) => name === QUESTION,
    names: ({ name }) => name === QUESTION,
  },
  research: {
    doc: "Looks things up, in the workspace and on the web, and changes nothing.",
    lacks: "only looks things up",
    offers: looks,
    alwaysOffered: [SWITCH_MODE],
    offersWithRoom: isOfWeb,
    names: isOfWeb,
  },
  agent: {
    doc: "Does the work, with all tools.",
    lacks: "has all tools",
    offers: () => true,
    alwaysOffered: [],
    offersWithRoom: () => false,
    names: ({ name }) => name === QUESTION || name === TODO,
  },
};

export function modeOffers(mode: AgentMode, tool: ModeTool): boolean {
  return modes[mode].offers(tool);
}

/** Tells a model that called a tool outside its mode which mode it is in, and how to leave it. */
export function notOfferedText(mode: AgentMode, name: string): string {
  const way = modeOffers(mode, { category: "signal" })
    ? `Go on without it; when the person should let you make changes, call \`${SWITCH_MODE}\` with \`agent\`, or ask them to type /agent.`
    : "Go on without it; if the person wants work done here, tell them to type /agent.";
  return `denied: there is no \`${name}\` in ${mode} mode, which ${modes[mode].lacks}. ${way}`;
}

/** Why the mode does not offer the tool of a call, for the model; undefined if it does. */
export function modeRefusal(mode: AgentMode, call: ModeTool & { tool: string }): string | undefined {
  return modeOffers(mode, call) ? undefined : notOfferedText(mode, call.tool);
}

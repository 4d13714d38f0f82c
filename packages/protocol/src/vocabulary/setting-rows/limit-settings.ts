import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** A name of a tool and its limit. */
const limitByTool = z.array(z.string().regex(/^(\*|[\w.-]+)=[1-9]\d{1,8}$/, "entries such as bash=8000")).max(200);
const count = z.number().int().min(1).max(10_000);

/** Settings of how much, how long and how often. */
export const limitSettings = {
  max_turns: {
    title: "Requests per message",
    group: "Limits",
    doc: "How many requests to the model one message of yours may take before the agent stops.",
    takesEffect: "next request",
    schema: count,
    default: 100,
    env: "HARNESS_MAX_TURNS",
    project: "lower",
  },
  max_tool_calls: {
    title: "Tool calls per reply",
    group: "Limits",
    doc: "How many tool calls of one reply are run; the others fail.",
    takesEffect: "next request",
    schema: count,
    default: 50,
    project: "lower",
  },
  max_agent_depth: {
    title: "Subagent depth",
    group: "Limits",
    doc: "How many levels deep subagents may be nested.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(10),
    default: 4,
    project: "lower",
  },
  max_agents: {
    title: "Subagents at the same time",
    group: "Limits",
    doc: "How many subagents of one agent may run at the same time.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(100),
    default: 8,
    project: "lower",
  },
  max_agent_tokens: {
    title: "Tokens per subagent",
    group: "Limits",
    doc: "How many tokens a subagent and the agents it starts may use, not counting cached ones. A named agent's file can override this.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(1_000_000_000),
    default: 5_000_000,
    project: "lower",
  },
  max_agent_seconds: {
    title: "Time per subagent",
    group: "Limits",
    doc: "How long a subagent may run, in seconds, including waiting. A named agent's file can override this.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(604_800),
    default: 14_400,
    project: "lower",
  },
  max_agent_usd: {
    title: "Cost per subagent",
    group: "Limits",
    doc: "What a subagent and the agents it starts may cost, in US dollars, where prices are known. A named agent's file can override this.",
    takesEffect: "next request",
    schema: z.number().positive().max(100_000),
    default: 10,
    project: "lower",
  },
  tool_timeout_ms: {
    title: "Time per command",
    group: "Limits",
    doc: "How long a shell command may run, in milliseconds, unless the call sets its own limit (at most 600,000).",
    takesEffect: "next request",
    schema: z.number().int().min(1000).max(600_000),
    default: 120_000,
    project: "trusted",
  },
  tool_max_chars: {
    title: "Characters per tool result",
    group: "Limits",
    doc: "How many characters of a result are sent to the model, by tool: `bash=8000, grep=4000`; `*` means all other tools. A small context window lowers the limit.",
    takesEffect: "next request",
    schema: limitByTool,
    default: [],
    project: "trusted",
  },
  tool_max_ms: {
    title: "Time per tool call",
    group: "Limits",
    doc: "How long a tool call may run, in milliseconds, by tool: `web_fetch=10000`; `*` means all other tools.",
    takesEffect: "next request",
    schema: limitByTool,
    default: [],
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;

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
    doc: "Model requests per message of yours before the agent stops and says so.",
    takesEffect: "next request",
    schema: count,
    default: 100,
    env: "HARNESS_MAX_TURNS",
    project: "lower",
  },
  max_tool_calls: {
    title: "Tool calls per reply",
    group: "Limits",
    doc: "Tool calls in one reply; further ones are answered with an error.",
    takesEffect: "next request",
    schema: count,
    default: 50,
    project: "lower",
  },
  max_agent_depth: {
    title: "Nesting of subagents",
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
    doc: "Tokens that a subagent and the agents it starts may use, cached tokens not counted. The file of a named agent may override it.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(1_000_000_000),
    default: 5_000_000,
    project: "lower",
  },
  max_agent_seconds: {
    title: "Time per subagent",
    group: "Limits",
    doc: "How long a subagent may run, in seconds, including waiting. The file of a named agent may override it.",
    takesEffect: "next request",
    schema: z.number().int().min(1).max(604_800),
    default: 14_400,
    project: "lower",
  },
  max_agent_usd: {
    title: "Cost per subagent",
    group: "Limits",
    doc: "What a subagent and the agents it starts may cost, in US dollars, where prices are known. The file of a named agent may override it.",
    takesEffect: "next request",
    schema: z.number().positive().max(100_000),
    default: 10,
    project: "lower",
  },
  tool_timeout_ms: {
    title: "Time per command",
    group: "Limits",
    doc: "Longest run of one shell command, in milliseconds, unless the call asks for another (at most 600,000).",
    takesEffect: "next request",
    schema: z.number().int().min(1000).max(600_000),
    default: 120_000,
    project: "trusted",
  },
  tool_max_chars: {
    title: "Length of tool results",
    group: "Limits",
    doc: "The most characters of a result that the model is sent, by tool, such as `bash=8000, grep=4000`; `*` stands for all others. A small context window allows less.",
    takesEffect: "next request",
    schema: limitByTool,
    default: [],
    project: "trusted",
  },
  tool_max_ms: {
    title: "Time per tool call",
    group: "Limits",
    doc: "The longest time that a call may run, in milliseconds, by tool, such as `web_fetch=10000`; `*` stands for all others.",
    takesEffect: "next request",
    schema: limitByTool,
    default: [],
    project: "trusted",
  },
} as const satisfies Record<string, SettingRow>;

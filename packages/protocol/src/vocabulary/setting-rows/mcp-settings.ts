import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** One server: JSON with name, command and args, in the common form, or `NAME=COMMAND ARGUMENTS`. */
const server = z.preprocess(
  (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value),
  z.string().min(1).max(10_000),
);

/** Settings of MCP servers. */
export const mcpSettings = {
  mcp_servers: {
    title: "MCP servers",
    group: "Sandbox and network",
    doc: "MCP servers in addition to those in `mcp.json` and `.mcp.json`: objects with `name`, `command`, `args` and `env`, or strings such as `time=uvx mcp-server-time`.",
    takesEffect: "next request",
    schema: z.array(server).max(100),
    default: [],
    project: "addsTrusted",
  },
  mcp_start: {
    title: "When MCP servers start",
    group: "Sandbox and network",
    doc: "When MCP servers start, unless their entry says otherwise: `first-use` with a session's first message, `session` when a session is opened.",
    takesEffect: "new sessions",
    schema: z.enum(["first-use", "session"]),
    default: "first-use",
    project: "trusted",
  },
  mcp_wait_ms: {
    title: "Wait for MCP servers",
    group: "Sandbox and network",
    doc: "How long a message waits for MCP servers that are starting, in milliseconds. Slower ones join with the next message.",
    takesEffect: "next request",
    schema: z.number().int().min(0).max(120_000),
    default: 2_000,
    project: "trusted",
  },
  mcp_sampling: {
    title: "MCP servers may use your model",
    group: "Permissions",
    doc: "Whether MCP servers may use your model while they work on a call. `ask`: you see each request and decide; `off`: never. Running servers restart with the next message.",
    takesEffect: "next request",
    schema: z.enum(["off", "ask"]),
    default: "off",
    scale: ["off", "ask"],
    project: "stricter",
  },
} as const satisfies Record<string, SettingRow>;

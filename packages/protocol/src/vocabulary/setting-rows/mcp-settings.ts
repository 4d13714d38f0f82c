import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

/** One server: JSON with name, command and args, as other programs write it, or `NAME=COMMAND ARGUMENTS`. */
const server = z.preprocess(
  (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value),
  z.string().min(1).max(10_000),
);

/** Settings of MCP servers. */
export const mcpSettings = {
  mcp_servers: {
    title: "MCP servers",
    group: "Sandbox and network",
    doc: "MCP servers in addition to those in `mcp.json` and `.mcp.json`: objects with `name`, `command`, `args` and `env`, or texts such as `time=uvx mcp-server-time`.",
    takesEffect: "next request",
    schema: z.array(server).max(100),
    default: [],
    project: "addsTrusted",
  },
  mcp_start: {
    title: "When MCP servers start",
    group: "Sandbox and network",
    doc: "When MCP servers start, unless their entry says otherwise: `first-use` with the first message of a session in their folder, `session` when a session is opened.",
    takesEffect: "new sessions",
    schema: z.enum(["first-use", "session"]),
    default: "first-use",
    project: "trusted",
  },
  mcp_wait_ms: {
    title: "Wait for MCP servers",
    group: "Sandbox and network",
    doc: "How long a message waits for MCP servers that are starting, in milliseconds; slower ones join with the next message.",
    takesEffect: "next request",
    schema: z.number().int().min(0).max(120_000),
    default: 2_000,
    project: "trusted",
  },
  mcp_sampling: {
    title: "MCP servers may use your model",
    group: "Permissions",
    doc: "May MCP servers have your model answer them while they work on a call? `ask`: you are asked each time, and see what would be sent; `off`: they are told that it is not possible. Servers that run are started again with the next message.",
    takesEffect: "next request",
    schema: z.enum(["off", "ask"]),
    default: "off",
    scale: ["off", "ask"],
    project: "stricter",
  },
} as const satisfies Record<string, SettingRow>;

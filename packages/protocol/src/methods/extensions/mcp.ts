import * as z from "zod";
import { notification, request } from "../table.ts";

/** A tool as its server describes it: untrusted text and hints. */
const McpToolView = z.object({
  name: z.string(),
  /** Its name for models and rules; absent if it is not used. */
  calledAs: z.string().optional(),
  description: z.string(),
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
});

export const McpServerInfo = z.object({
  name: z.string(),
  /** `needs-trust`: it belongs to a project that is not trusted; `needs-login`: see `mcp/login`. */
  state: z.enum(["off", "starting", "ready", "failed", "needs-login", "needs-trust"]),
  /** The file or setting that names it. */
  from: z.string(),
  /** Others that name a server of this name, without effect. */
  shadows: z.array(z.string()),
  /** Its command line or address, as written: variables are not filled in. */
  reach: z.string(),
  enabled: z.boolean(),
  /** Why it is not ready, and what to do. */
  problem: z.string().optional(),
  era: z.enum(["legacy", "modern"]).optional(),
  version: z.string().optional(),
  /** Its own instructions for use. */
  instructions: z.string().optional(),
  tools: z.array(McpToolView),
  prompts: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
    }),
  ),
  resources: z.array(
    z.object({ uri: z.string(), name: z.string(), description: z.string(), mimeType: z.string().optional() }),
  ),
  /** Sentences about what was left out. */
  notes: z.array(z.string()),
});
export type McpServerInfo = z.infer<typeof McpServerInfo>;

/** The servers of a session, or of a folder; by default those of the server's own folder. */
const where = { sessionId: z.string().optional(), cwd: z.string().optional() };

export const mcpMethods = {
  "mcp/list": request({
    doc: "The MCP servers of a session or a folder with what they offer, and sentences about files that cannot be used. Starts none.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object(where),
    result: z.object({ servers: z.array(McpServerInfo), problems: z.array(z.string()) }),
  }),
  "mcp/start": request({
    doc: "Starts an MCP server, and answers when it is ready or has failed; `restart` ends it first where it runs.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: z.object({ ...where, name: z.string(), restart: z.boolean().default(false) }),
    result: McpServerInfo,
  }),
  "mcp/login": request({
    doc: "Logs in to an MCP server: `mcp/login_address` has the address to open, and the answer comes when the login has ended.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: z.object({ ...where, name: z.string() }),
    result: McpServerInfo,
  }),
  "mcp/complete": request({
    doc: "Completions for the end of a text that a person types: `command` with `typed` for the arguments of a prompt as a slash command, `mention` for a resource as `server:uri`. Each text replaces the last word. Only servers that run are asked.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({
      ...where,
      command: z.string().optional(),
      typed: z.string().default(""),
      mention: z.string().optional(),
    }),
    result: z.object({ items: z.array(z.object({ text: z.string(), description: z.string() })) }),
  }),
  "mcp/logs": request({
    doc: "The last lines that an MCP server has written to stderr or sent as log messages.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ name: z.string(), lines: z.number().int().min(1).max(5_000).default(100) }),
    result: z.object({ path: z.string(), lines: z.array(z.string()) }),
  }),
  "mcp/add": request({
    doc: "Writes an MCP server into a file: the person's own `mcp.json`, or `.mcp.json` in `cwd`, which then needs trust.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({
      cwd: z.string().optional(),
      scope: z.enum(["user", "project"]),
      name: z.string().min(1).max(100),
      command: z.string().optional(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      url: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      transport: z.enum(["stdio", "http", "sse"]).optional(),
    }),
    result: z.object({ path: z.string() }),
  }),
  "mcp/remove": request({
    doc: "Removes an MCP server from the file that `mcp/add` would write it into.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({ cwd: z.string().optional(), scope: z.enum(["user", "project"]), name: z.string() }),
    result: z.object({ path: z.string() }),
  }),
};

export const mcpNotifications = {
  "mcp/login_address": notification({
    doc: "The address that the person has to open in a browser, for a login that this client asked for.",
    params: z.object({ name: z.string(), url: z.string() }),
  }),
};

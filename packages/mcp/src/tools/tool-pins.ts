import { createHash } from "node:crypto";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpTool } from "../connection/server-lists.ts";

/** The state of tools when the user last let them run, kept between runs. Nothing throws. */
export type McpPins = {
  pinned(key: string): string | undefined;
  pin(key: string, hash: string): void;
};

/** Identifies a tool of exactly this server: a different command or address under its name is a different server. */
export function pinKey({ name, command, args = [], url }: McpServerConfig, tool: string): string {
  return hashOf([name, command, args, url, tool]);
}

/** Changes with everything that the model and the user see of a tool. */
export function toolHash({ name, title, description, inputSchema, annotations }: McpTool): string {
  return hashOf([name, title, description, sortKeys(inputSchema), sortKeys(annotations)]);
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

/** The order of keys does not matter. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, each]) => [key, sortKeys(each)]);
}

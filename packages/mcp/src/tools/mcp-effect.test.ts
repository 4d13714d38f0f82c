import { describe, expect, it } from "vitest";
import type { McpServerConfig } from "../config/server-config.ts";
import { mcpConfiguration } from "./mcp-effect.ts";

const config: McpServerConfig = { name: "s", from: "f", command: "x", args: ["a"], env: { MODE: "1", API_TOKEN: "t" } };

describe("the configuration of a server", () => {
  it.each<[string, Partial<McpServerConfig>]>([
    ["command", { command: "y" }],
    ["arguments", { args: ["b"] }],
    ["environment", { env: { ...config.env, NODE_OPTIONS: "--import=x" } }],
    ["value of a variable", { env: { ...config.env, MODE: "2" } }],
    ["folder", { cwd: "/x" }],
    ["address", { url: "https://example.com" }],
  ])("is another one with another %s", (_what, more) => {
    expect(mcpConfiguration({ ...config, ...more })).not.toBe(mcpConfiguration(config));
  });

  it.each<[string, Partial<McpServerConfig>]>([
    ["file", { from: "g" }],
    ["key", { env: { API_TOKEN: "new", MODE: "1" } }],
    ["time limit", { callTimeoutMs: 1 }],
  ])("is the same with another %s", (_what, more) => {
    expect(mcpConfiguration({ ...config, ...more })).toBe(mcpConfiguration(config));
  });
});

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
    ["header", { headers: { "X-MCP-Readonly": "true" } }],
    ["value of a variable that only sounds like a key", { env: { ...config.env, MONKEY_PATCH: "x" } }],
    ["scope", { oauth: { scopes: ["write"] } }],
  ])("changes with its %s", (_what, more) => {
    expect(mcpConfiguration({ ...config, ...more })).not.toBe(mcpConfiguration(config));
  });

  it.each<[string, Partial<McpServerConfig>, Partial<McpServerConfig>]>([
    ["header", { headers: { "X-MCP-Readonly": "true" } }, { headers: { "X-MCP-Readonly": "false" } }],
    ["header besides a key", { headers: { "X-Api-Key": "k" } }, { headers: { "X-Api-Key": "k", "X-Tenant": "prod" } }],
    ["scope", { oauth: { scopes: ["read"] } }, { oauth: { scopes: ["read", "write"] } }],
    ...["MONKEY_PATCH", "KEYBOARD", "GIT_AUTHOR_NAME", "PYTHON_KEYRING_BACKEND", "TOKENIZER"].map(
      (name): [string, Partial<McpServerConfig>, Partial<McpServerConfig>] => [
        `value of ${name}`,
        { env: { [name]: "a" } },
        { env: { [name]: "b" } },
      ],
    ),
    ...["AUTH_URL", "TOKEN_FILE", "SSL_KEY"].map(
      (name): [string, Partial<McpServerConfig>, Partial<McpServerConfig>] => [
        `place that ${name} names`,
        { env: { [name]: "https://one.example" } },
        { env: { [name]: "./other" } },
      ],
    ),
  ])("changes with its %s, if it had one", (_what, one, other) => {
    expect(mcpConfiguration({ ...config, ...one })).not.toBe(mcpConfiguration({ ...config, ...other }));
  });

  it.each<[string, Partial<McpServerConfig>, Partial<McpServerConfig>]>([
    ["login", { headers: { Authorization: "Bearer a" } }, { headers: { Authorization: "Bearer b" } }],
    ["key in a header", { headers: { "X-Api-Key": "a" } }, { headers: { "X-Api-Key": "b" } }],
    ["cookie", { headers: { Cookie: "a=1" } }, { headers: { Cookie: "a=2" } }],
    ...["GITHUB_PERSONAL_ACCESS_TOKEN", "apiKey", "APIKEY", "DB_PASSWORD", "PGPASS", "AWS_SECRET_ACCESS_KEY"].map(
      (name): [string, Partial<McpServerConfig>, Partial<McpServerConfig>] => [
        name,
        { env: { [name]: "a" } },
        { env: { [name]: "b" } },
      ],
    ),
    ["order of headers", { headers: { A: "1", B: "2" } }, { headers: { B: "2", A: "1" } }],
    ["order of scopes", { oauth: { scopes: ["a", "b"] } }, { oauth: { scopes: ["b", "a"] } }],
  ])("is the same with another %s, where it had one", (_what, one, other) => {
    expect(mcpConfiguration({ ...config, ...one })).toBe(mcpConfiguration({ ...config, ...other }));
  });

  it.each<[string, Partial<McpServerConfig>]>([
    ["file", { from: "g" }],
    ["key", { env: { API_TOKEN: "new", MODE: "1" } }],
    ["time limit", { callTimeoutMs: 1 }],
  ])("is the same with another %s", (_what, more) => {
    expect(mcpConfiguration({ ...config, ...more })).toBe(mcpConfiguration(config));
  });

  it("is decided for each field", () => {
    const others: { [K in keyof Required<McpServerConfig>]: McpServerConfig[K] | undefined } = {
      command: "y",
      args: ["b"],
      env: { MODE: "2" },
      cwd: "/x",
      url: "https://example.com",
      headers: { A: "1" },
      oauth: { scopes: ["a"] },
      // How it is talked to, when it runs and where that is said.
      ...{ name: "t", from: "g", transport: "sse", era: "modern", start: "session", enabled: false },
      ...{ project: true, replaces: true, trusted: false, sampling: true },
      ...{ startupTimeoutMs: 1, callTimeoutMs: 1, maxCallMs: 1 },
    };
    const deciding = Object.entries(others).filter(
      ([field, value]) => mcpConfiguration({ ...config, [field]: value }) !== mcpConfiguration(config),
    );
    expect(deciding.map(([field]) => field)).toEqual(["command", "args", "env", "cwd", "url", "headers", "oauth"]);
  });
});

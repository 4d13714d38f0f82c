import { describe, expect, it } from "vitest";
import { mergeServers } from "./merge-servers.ts";
import { readServerSetting, readServers } from "./read-servers.ts";

const FROM = "/p/.mcp.json";
const variable = (name: string) => ["$", "{", name, "}"].join("");
const read = (value: unknown) => readServers(JSON.stringify(value), FROM);

describe("a file that names MCP servers", () => {
  it.each([
    [
      "of most programs",
      { mcpServers: { a: { command: "x", args: ["-y"], env: { K: "v" } } } },
      { command: "x", args: ["-y"], env: { K: "v" } },
    ],
    [
      "of VS Code",
      { servers: { a: { type: "stdio", command: variable("env:BIN") } } },
      { transport: "stdio", command: variable("BIN") },
    ],
    [
      "of VS Code, with an address",
      { servers: { a: { type: "http", url: "http://h/mcp" } } },
      { transport: "http", url: "http://h/mcp" },
    ],
    [
      "of Gemini",
      { mcpServers: { a: { httpUrl: "https://h/mcp", timeout: 5000, trust: true } } },
      { url: "https://h/mcp", callTimeoutMs: 5000 },
    ],
    [
      "of Claude Code",
      { mcpServers: { a: { type: "sse", url: "https://h/sse", headers: { A: "b" } } } },
      { transport: "sse", url: "https://h/sse", headers: { A: "b" } },
    ],
    ["that is switched off", { mcpServers: { a: { command: "x", disabled: true } } }, { command: "x", enabled: false }],
    [
      "of harness",
      {
        mcpServers: {
          a: { command: "x", era: "modern", start: "session", oauth: { clientId: "c", callbackPort: 80 } },
        },
      },
      { command: "x", era: "modern", start: "session", oauth: { clientId: "c", redirectPort: 80 } },
    ],
  ])("is read: %s", (_name, file, config) => {
    expect(read(file)).toEqual({
      servers: [{ name: "a", from: FROM, ...config }],
      problems: [],
    });
  });

  it("is read in its order, and what else it has is not looked at", () => {
    const { servers, problems } = read({ theme: 1, mcpServers: { b: { command: "x" }, a: { command: "y" } } });
    expect(servers.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(problems).toEqual([]);
    expect(read({ theme: 1 })).toEqual({ servers: [], problems: [] });
  });

  it.each([
    [{ mcpServers: { a: 1 } }, "The MCP server a in /p/.mcp.json is not an object. It is not used."],
    [{ mcpServers: { a: {} } }, "neither a command nor a url"],
    [{ mcpServers: { a: { command: "x", url: "http://h" } } }, "both a command and a url"],
    [{ mcpServers: { a: { command: ["x"] } } }, "a command that is not a string"],
    [{ mcpServers: { a: { command: "x", args: "y" } } }, "args that are not a list"],
    [{ mcpServers: { a: { command: "x", env: { A: {} } } } }, "env that do not map names to strings"],
    [{ mcpServers: { a: { command: "x", type: "pipe" } } }, 'the type "pipe"'],
    [{ mcpServers: { a: { command: "x", timeout: "1" } } }, "not a number of milliseconds"],
    [{ mcpServers: { a: { command: "x", era: "old" } } }, "an era other than"],
    [{ servers: { a: { command: "x", args: [variable("input:key")] } } }, "which only VS Code asks for"],
    [{ mcpServers: { "": { command: "x" } } }, "needs a name"],
    [{ mcpServers: [] }, "is not an object"],
  ])("is used without what cannot be read, with a sentence: %j", (file, words) => {
    const { servers, problems } = read(file);
    expect(servers).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(words)]);
  });

  it("has variables without braces where it is one of Gemini CLI", () => {
    const a = { command: "$BIN/x", args: ["a$$b"], env: { K: "$GIVEN-1", L: variable("OTHER") } };
    const { servers } = readServers(JSON.stringify({ mcpServers: { a } }), FROM, "gemini");
    expect(servers).toMatchObject([
      {
        command: `${variable("BIN")}/x`,
        args: [`a$${variable("b")}`],
        env: { K: `${variable("GIVEN")}-1`, L: variable("OTHER") },
      },
    ]);
  });

  it("may have comments and commas too many, as editors write them", () => {
    const text = '\uFEFF// mine\n{ "servers": { /* one */ "a": { "command": "x//y", "args": ["/*", ",]",], }, }, }';
    expect(readServers(text, FROM)).toEqual({
      servers: [{ name: "a", from: FROM, command: "x//y", args: ["/*", ",]"] }],
      problems: [],
    });
    expect(readServers('// mine\n{\n"servers": {x,}}', FROM).problems[0]).toContain("not valid JSON (line 3)");
  });

  it("is not used when it is not JSON, and one bad server takes no other with it", () => {
    expect(readServers("{", FROM).problems[0]).toContain("not valid JSON (line 1)");
    expect(readServers("[]", FROM).problems[0]).toContain("is not an object");
    const { servers, problems } = read({ mcpServers: { bad: {}, good: { command: "x" } } });
    expect([servers.map(({ name }) => name), problems.length]).toEqual([["good"], 1]);
  });
});

describe("the setting mcp_servers", () => {
  it("has entries as JSON, as other programs write them, or as a line", () => {
    const { servers, problems } = readServerSetting(
      [
        '{"name":"fs","command":"npx","args":["-y","x"],"env":{"A":"1"}}',
        "time=uvx mcp-server-time --local",
        "nonsense",
      ],
      "mcp_servers",
    );
    expect(servers).toEqual([
      { name: "fs", from: "mcp_servers", command: "npx", args: ["-y", "x"], env: { A: "1" } },
      { name: "time", from: "mcp_servers", command: "uvx", args: ["mcp-server-time", "--local"] },
    ]);
    expect(problems).toEqual([expect.stringContaining("write {")]);
  });
});

it("of two servers with one name the more local one counts, and what it shadows is named", () => {
  const merged = mergeServers([
    { name: "b", from: "1", command: "x" },
    { name: "a", from: "1", command: "x" },
    { name: "b", from: "2", command: "y" },
  ]);
  expect(merged.map(({ config, shadows }) => [config.name, config.from, shadows])).toEqual([
    ["a", "1", []],
    ["b", "2", ["1"]],
  ]);
});

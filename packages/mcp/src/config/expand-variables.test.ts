import { describe, expect, test } from "vitest";
import { expandConfig } from "./expand-variables.ts";
import { configProblem, type McpServerConfig } from "./server-config.ts";

const base: McpServerConfig = { name: "one", from: "/p/.mcp.json" };
const v = (text: string) => text.replaceAll("<", "${").replaceAll(">", "}");
const env = { HOME: "/home/ada", TOKEN: "secret", EMPTY: "" };

describe("variables in the description of a server", () => {
  test("are put into command, arguments, folder, variables, address and headers", () => {
    const config = {
      ...base,
      command: v("<HOME>/bin/server"),
      args: [v("--token=<TOKEN>"), v("<A:-left>-<EMPTY:-instead>"), "$HOME stays"],
      cwd: v("<HOME>"),
      env: { KEY: v("<TOKEN>"), NOTHING: v("<A:->") },
    };
    expect(expandConfig(config, env)).toEqual({
      config: {
        ...base,
        command: "/home/ada/bin/server",
        args: ["--token=secret", "left-instead", "$HOME stays"],
        cwd: "/home/ada",
        env: { KEY: "secret", NOTHING: "" },
      },
    });
    const remote = {
      ...base,
      url: v("https://<HOST:-example.com>/mcp"),
      headers: { Authorization: v("Bearer <TOKEN>") },
    };
    expect(expandConfig(remote, env)).toEqual({
      config: { ...base, url: "https://example.com/mcp", headers: { Authorization: "Bearer secret" } },
    });
  });

  test("are put into the client of a login, whose secret need not be in the file", () => {
    const oauth = { clientId: v("<A:-id>"), clientSecret: v("<TOKEN>"), redirectPort: 1 };
    expect(expandConfig({ ...base, url: "https://a.example", oauth }, env)).toMatchObject({
      config: { oauth: { clientId: "id", clientSecret: "secret", redirectPort: 1 } },
    });
  });

  test("that are not set are named, all of them, with the file that needs them", () => {
    const config = { ...base, command: v("<B> <A>"), args: [v("<A>")] };
    expect(expandConfig(config, env)).toEqual({
      problem: v(
        "A, B are not set, but /p/.mcp.json needs them for the MCP server one. Set them in the environment, or give a value in the file with <NAME:-value>.",
      ),
    });
  });

  test("bring no others with them", () => {
    const nested = { TOKEN: v("<HOME>") };
    expect(expandConfig({ ...base, command: v("<TOKEN>") }, nested)).toMatchObject({
      config: { command: v("<HOME>") },
    });
  });
});

describe("the description of a server", () => {
  test.each([
    [{ command: "a" }, undefined],
    [{ url: "https://example.com/mcp" }, undefined],
    [{ url: "http://localhost:1/mcp", transport: "sse" as const }, undefined],
    [{}, "neither a command nor a URL"],
    [{ command: "a", url: "http://b" }, "a command and a URL"],
    [{ command: " " }, "an empty command"],
    [{ command: "a", transport: "http" as const }, "goes with the transport stdio, not http"],
    [{ url: "http://b", transport: "stdio" as const }, "does not go with the transport stdio"],
    [{ url: "file:///etc/passwd" }, "must begin with http:// or https://"],
    [{ url: "example.com" }, "must begin with http:// or https://"],
  ])("%j: %s", (config, problem) => {
    const said = configProblem({ ...base, ...config });
    if (problem === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(problem);
  });
});

// MCP servers of a run, which has one message: it waits for them, and names those that do not start.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { linesOf, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

const servers = resolve(import.meta.dirname, "../../packages/mcp/test/servers");
const plain = { command: process.execPath, args: [join(servers, "plain-server.ts")] };

let model: ModelServer;
let place: TestHome;
beforeAll(async () => {
  model = await startModelServer({ scenario: { turns: [] } });
  place = new TestHome(model.environment);
  mkdirSync(place.home, { recursive: true });
  // A message in the window would not wait.
  writeFileSync(join(place.home, "settings.json"), JSON.stringify({ mcp_wait_ms: 0 }));
});
afterAll(async () => {
  await model?.close();
  place?.remove();
});
beforeEach(() => model.setScenario({ turns: [turns.say("end", { repeat: "always" })] }));

function names(mcpServers: object): void {
  writeFileSync(join(place.home, "mcp.json"), JSON.stringify({ mcpServers }));
}

const offered = () => JSON.stringify(model.chatRequests.at(-1)?.body);

describe("a run with MCP servers", () => {
  it("waits until they are ready, whatever a message in the window would wait", async () => {
    names({ plain });
    const { code, stdout, stderr } = await place.run(["run", "--json", "go"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(linesOf(stdout)[0]?.mcpServers).toEqual([{ name: "plain", status: "starting" }]);
    expect(linesOf(stdout).at(-1)?.mcpServers).toEqual([{ name: "plain", status: "ready" }]);
    expect(offered()).toContain("mcp__plain__echo");
  });

  it.each<[string, object, RegExp]>([
    ["has no program", { command: "/no/such/server" }, /^The MCP server tickets did not start: .*was not found/],
    ["ends at once", { ...plain, args: [...plain.args, "dies-at-start"] }, /^The MCP server tickets did not start: /],
    [
      "does not answer",
      { ...plain, args: [...plain.args, "hangs"], era: "legacy", startupTimeoutMs: 400 },
      /^The MCP server tickets did not start within 0\.4 s\./,
    ],
    ["needs what is not set", { ...plain, env: { A: "$" + "{NO_SUCH}" } }, /NO_SUCH is not set/],
  ])("goes on without one that %s, and says so on stderr and in its result", async (_, tickets, problem) => {
    names({ plain, tickets });
    const { code, stdout, stderr } = await place.run(["run", "--json", "go"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^harness: .*MCP server tickets/);
    expect(stderr).not.toContain("plain.");
    expect(linesOf(stdout).at(-1)?.mcpServers).toEqual([
      { name: "plain", status: "ready" },
      { name: "tickets", status: "failed", problem: expect.stringMatching(problem) },
    ]);
    expect(offered()).toContain("mcp__plain__echo");
  });

  it("neither starts nor names one that is switched off", async () => {
    names({ tickets: { command: "/no/such/server", enabled: false } });
    const ended = await place.run(["run", "--output-format", "json", "go"]);
    expect([ended.code, ended.stderr, resultOf(ended).mcpServers]).toEqual([0, "", []]);
  });
});

describe("a prompt of an MCP server as the message of a run", () => {
  const greeting = { name: "greet", arguments: [{ name: "who", required: true }] };
  const odd = () => {
    const file = join(place.root, "answers.json");
    const said = { messages: [{ role: "user", content: { type: "text", text: "Greet Ada in verse." } }] };
    writeFileSync(
      file,
      JSON.stringify({
        "tools/list": { tools: [] },
        "prompts/list": { prompts: [greeting] },
        "prompts/get greet": said,
      }),
    );
    return { command: process.execPath, args: [join(servers, "odd-server.ts"), file] };
  };

  it.each(["own", "given by --mcp-config"])("starts its server, which is %s", async (whose) => {
    const file = join(place.root, "given.json");
    writeFileSync(file, JSON.stringify({ mcpServers: { odd: odd() } }));
    names(whose === "own" ? { odd: odd() } : {});
    const flags = whose === "own" ? [] : ["--mcp-config", file];
    const ended = await place.run(["run", ...flags, "/mcp:odd:greet Ada"]);
    expect(ended).toMatchObject({ code: 0, stdout: "end\n", stderr: "" });
    expect(offered()).toContain("Greet Ada in verse.");
  });

  it("says what is missing: an argument, a prompt, a server, or a server that starts", async () => {
    names({ odd: odd(), broken: { command: "/no/such/server" } });
    const run = async (text: string) => {
      const { code, stderr } = await place.run(["run", text]);
      return [code, stderr];
    };
    expect(await run("/mcp:odd:greet")).toEqual([2, expect.stringContaining("/mcp:odd:greet needs who")]);
    expect(await run("/mcp:odd:other x")).toEqual([2, expect.stringContaining("There is no command /mcp:odd:other")]);
    expect(await run("/mcp:none:greet x")).toEqual([2, expect.stringContaining("There is no command /mcp:none:greet")]);
    expect(await run("/mcp:broken:greet x")).toEqual([
      1,
      expect.stringMatching(/^harness: The MCP server broken did not start: .*was not found.*\n$/),
    ]);
  });
});

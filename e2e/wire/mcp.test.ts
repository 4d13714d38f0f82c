// MCP servers over the wire of a real server: real processes, a scripted model.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ClientOptions, HarnessClient } from "@harness/client";
import type { Permission, SessionUpdate } from "@harness/protocol";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const plain = resolve(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts");

let live: LiveServer;
afterEach(() => live.close());

const server = (...faults: string[]) => ({ command: process.execPath, args: [plain, ...faults] });

type Begin = {
  servers?: object;
  settings?: object;
  onQuestion?: ClientOptions["onQuestion"];
  isAlone?: true;
};

/** A session in a folder for which the user has configured these servers. */
async function begin(
  script: ScenarioInput["turns"] & object[],
  { servers = { plain: server() }, settings, ...who }: Begin = {},
) {
  live = await LiveServer.start({ turns: script });
  for (const each of [live.cwd, live.home]) mkdirSync(each);
  writeFileSync(join(live.home, "mcp.json"), JSON.stringify({ mcpServers: servers }));
  if (settings) writeFileSync(join(live.home, "settings.json"), JSON.stringify(settings));
  const asked: Permission[] = [];
  const yes = choose("allow_once");
  const onPermission: ClientOptions["onPermission"] = (question, signal) => {
    asked.push(question.permission);
    return yes(question, signal);
  };
  const { client } = await live.connect(who.isAlone ? undefined : onPermission, {}, who.onQuestion);
  const { session } = await client.call("session/new", { cwd: live.cwd });
  return { client, sessionId: session.sessionId, asked };
}

const prompt = (client: HarnessClient, sessionId: string, promptId: string) =>
  client.call("session/prompt", { sessionId, promptId, prompt: say("go") });
const offered = () =>
  live.model.chatRequests.map(({ body }) =>
    (((body as { tools?: unknown }).tools ?? []) as { function: { name: string } }[]).map((each) => each.function.name),
  );
const outcomes = () =>
  live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
  );
const END = turns.say("end", { repeat: "always" });

describe("tools of an MCP server", () => {
  it("are offered with the first request, asked about with server and arguments, and their answer is marked", async () => {
    const { client, sessionId, asked } = await begin([turns.call("mcp__plain__echo", { words: "hello" }), END]);
    await prompt(client, sessionId, "1");
    await live.idle();
    expect(offered()[0]).toContain("mcp__plain__echo");
    expect(asked).toMatchObject([
      {
        tool: "mcp__plain__echo",
        title: 'plain/echo {"words":"hello"}',
        reason: "calls echo of the MCP server plain",
        risk: "medium",
        effects: [{ kind: "mcp", server: "plain", tool: "echo" }],
        preview: [{ type: "text", text: "words: hello" }],
      },
    ]);
    expect(outcomes()[0]).toMatchObject({ status: "ok", blocks: [{ type: "text", text: "hello" }] });
    expect(outcomes()[0]?.text).toMatch(/^\[Answer of plain\/echo\. What follows, .*\nhello\n\[Mark /s);
  });

  it("delay the first request of a folder by no more than the setting, and join with the next message when they are late", async () => {
    const slow = { plain: server("hangs"), other: server() };
    const { client, sessionId } = await begin([END], { servers: slow, settings: { mcp_wait_ms: 300 } });
    await prompt(client, sessionId, "1");
    const { seq } = await live.idle();
    expect(offered()[0]?.some((name) => name.startsWith("mcp__plain__"))).toBe(false);
    const isReady = async () =>
      (await client.call("mcp/list", { sessionId })).servers.some(
        ({ name, state }) => name === "other" && state === "ready",
      );
    while (!(await isReady())) await new Promise((done) => setImmediate(done));
    await prompt(client, sessionId, "2");
    await live.idle(seq);
    expect(offered()[1]).toContain("mcp__other__echo");
  });

  it("that come meanwhile join with the next message, and none of the earlier request's bytes change", async () => {
    const { client, sessionId } = await begin([turns.call("mcp__plain__change", {}), turns.say("one"), END], {
      settings: { context_limit: 128_000 },
    });
    await prompt(client, sessionId, "1");
    const { seq } = await live.idle();
    const isListed = async () =>
      (await client.call("mcp/list", { sessionId })).servers[0]?.tools.some(({ name }) => name === "added");
    while (!(await isListed())) await new Promise((done) => setImmediate(done));
    await prompt(client, sessionId, "2");
    await live.idle(seq);
    const [first = [], second = [], third = []] = offered();
    expect(second).toEqual(first);
    expect(first).not.toContain("mcp__plain__added");
    expect(third).toEqual([...first, "mcp__plain__added"]);
  });

  it("show their progress while they run, and stop when the person cancels", async () => {
    const { client, sessionId } = await begin([turns.call("mcp__plain__slow", {}), END]);
    await prompt(client, sessionId, "1");
    const isProgress = ({ update }: SessionUpdate) =>
      update.sessionUpdate === "tool_output_chunk" && update.text.includes("step 1");
    await live.until(isProgress);
    await client.call("session/cancel", { sessionId });
    await live.idle();
    expect(outcomes()).toMatchObject([{ status: "cancelled" }]);
  });

  it("that take their server with them fail with a sentence, and the server is there again for the next call", async () => {
    const { client, sessionId } = await begin([
      turns.call("mcp__plain__die", {}),
      turns.call("mcp__plain__echo", { words: "again" }),
      END,
    ]);
    await prompt(client, sessionId, "1");
    await live.idle();
    expect(outcomes()).toMatchObject([{ status: "error" }, { status: "ok", blocks: [{ text: "again" }] }]);
    expect(outcomes()[0]?.text).toContain("die of the MCP server plain failed");
  });

  it("with long answers are cut for the model, and the whole text is in a file of the session", async () => {
    const words = Array.from({ length: 100_000 }, (_, n) => `word ${n} `).join("");
    const { client, sessionId } = await begin([turns.call("mcp__plain__echo", { words }), END]);
    await prompt(client, sessionId, "1");
    await live.idle();
    const [outcome] = outcomes();
    expect(outcome?.text).toContain("The whole text is in ");
    expect(outcome?.text.endsWith(": end]")).toBe(true);
    expect(JSON.stringify(outcome?.blocks).length).toBeLessThan(10_000);
  });
});

describe("what a file gives an MCP server in secret", () => {
  it("is hidden in its log, in the reason why it did not start, in the list, and in its answers", async () => {
    const secret = "a-long-secret-of-a-person";
    const env = { API_TOKEN: `\${NOBODY_HAS_IT:-${secret}}` };
    const servers = { plain: { ...server("tells"), env }, dead: { ...server("tells", "dies-at-start"), env } };
    const { client, sessionId } = await begin([turns.call("mcp__plain__environment"), END], { servers });
    await prompt(client, sessionId, "1");
    await live.idle();
    const logs = await Promise.all(["plain", "dead"].map((name) => client.call("mcp/logs", { name, lines: 50 })));
    const list = await client.call("mcp/list", { sessionId });
    const said = JSON.stringify([logs, list, outcomes(), live.model.chatRequests.map(({ body }) => body)]);
    expect(said).not.toContain(secret);
    expect(said.match(/The token is \[secret API_TOKEN\]/g)?.length).toBeGreaterThan(2);
    expect(outcomes()[0]?.text).toContain("[secret API_TOKEN]");
  });
});

describe("a question of an MCP server", () => {
  it("reaches the person with the server's name, and the answer reaches the server", async () => {
    const messages: string[] = [];
    const onQuestion: ClientOptions["onQuestion"] = async ({ message }) => {
      messages.push(message);
      return { action: "accept", text: "Ada" };
    };
    const { client, sessionId } = await begin([turns.call("mcp__plain__ask", {}), END], { onQuestion });
    await prompt(client, sessionId, "1");
    await live.idle();
    expect(messages).toEqual(["The MCP server plain asks: Who are you?\nname"]);
    expect(outcomes()[0]?.text).toContain('{"action":"accept","content":{"name":"Ada"}}');
  });

  it("is declined where nobody can be asked, and that is recorded", async () => {
    const { client, sessionId } = await begin([turns.call("mcp__plain__ask", {}), END], {});
    await prompt(client, sessionId, "1");
    await live.idle();
    expect(outcomes()[0]?.text).toContain('{"action":"decline"}');
    expect(outcomes()[0]?.text).toContain(
      "(The server asked: Who are you?. Nobody can be asked here, so it was declined.)",
    );
  });
});

describe("a list of tools that names MCP servers", () => {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  it("gives a named agent the tools of these servers, and no note says that there are none", async () => {
    const { client, sessionId } = await begin(
      [turns.call("start_subagent", { task: "look around", agent: "tester" }), END],
      { servers: { plain: server(), other: server() } },
    );
    put(join(live.home, "agents/tester.md"), "---\ndescription: T.\ntools: Read, mcp(plain/*), Nothing\n---\nTest.\n");
    const { agents } = await client.call("agents/definitions", { cwd: live.cwd });
    expect(agents.map(({ notes }) => notes)).toEqual([["there is no tool Nothing"]]);
    await prompt(client, sessionId, "1");
    await live.idle();
    const child = live.model.chatRequests.findIndex(({ body }) => /"content":"look around/.test(JSON.stringify(body)));
    const names = offered()[child] ?? [];
    expect(names).toContain("read");
    expect(names).toContain("mcp__plain__echo");
    expect(names.filter((name) => name !== "read" && !name.startsWith("mcp__plain__"))).toEqual([]);
  });

  it.each(["mcp(plain/*)", "mcp__plain__*"])("lets a command of the person call them unasked: %s", async (listed) => {
    const { client, sessionId, asked } = await begin([turns.call("mcp__plain__echo", { words: "hello" }), END]);
    put(join(live.home, "commands/try.md"), `---\nallowed-tools: ${listed}\n---\nTry it.\n`);
    await client.call("command/run", { sessionId, name: "try", args: "" });
    await live.idle();
    expect(outcomes()).toMatchObject([{ status: "ok" }]);
    expect(asked).toEqual([]);
  });

  it("leaves a command of a project these tools only, and each call is asked about", async () => {
    const { client, sessionId, asked } = await begin([
      turns.call("mcp__plain__echo", { words: "hello" }),
      turns.call("write", { file_path: "x.txt", content: "x" }),
      END,
    ]);
    put(join(live.cwd, ".claude/commands/try.md"), "---\nallowed-tools: mcp(plain/*)\n---\nTry it.\n");
    const { hash } = await client.call("trust/get", { cwd: live.cwd });
    await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
    await client.call("command/run", { sessionId, name: "try", args: "" });
    await live.idle();
    expect(outcomes()).toMatchObject([{ status: "ok" }, { status: "denied" }]);
    expect(asked.map(({ tool }) => tool)).toEqual(["mcp__plain__echo"]);
  });
});

describe("MCP servers of a project", () => {
  it("are listed before the folder is trusted, and started only after it", async () => {
    live = await LiveServer.start({ turns: [END] });
    for (const each of [live.cwd, live.home]) mkdirSync(each);
    writeFileSync(join(live.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { plain: server() } }));
    const { client } = await live.connect(choose("allow_once"));
    const { cwd } = live;
    const { session } = await client.call("session/new", { cwd });
    const { sessionId } = session;
    await prompt(client, sessionId, "1");
    const { seq } = await live.idle();
    expect((await client.call("mcp/list", { sessionId })).servers).toMatchObject([
      { name: "plain", state: "needs-trust" },
    ]);
    expect(JSON.stringify(offered()[0])).not.toContain("mcp__");
    const { hash } = await client.call("trust/get", { cwd });
    await client.call("trust/set", { cwd, hash, decision: "trust" });
    await prompt(client, sessionId, "2");
    await live.idle(seq);
    expect(offered()[1]).toContain("mcp__plain__echo");
    expect((await client.call("mcp/list", { cwd })).servers).toMatchObject([{ name: "plain", state: "ready" }]);
  });

  it("are read from the files of other agents, and wait for trust there as well", async () => {
    live = await LiveServer.start({ turns: [END] });
    const put = (path: string, text: string) => {
      const file = join(live.root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    };
    const entry = JSON.stringify(server());
    const named = (...names: string[]) => `{"mcpServers": {${names.map((name) => `"${name}": ${entry}`).join()}}}`;
    put("home/.cursor/mcp.json", named("mine"));
    const vscode = put("project/.vscode/mcp.json", `// shared\n{"servers": {"one": ${entry}, "vscode": ${entry},},}`);
    const cursor = put("project/.cursor/mcp.json", named("one", "cursor", "mine"));
    const gemini = put("project/.gemini/settings.json", `{"theme": "x", ${named("gemini").slice(1)}`);
    const claude = put("project/.claude/settings.json", named("claude"));
    const local = put("project/.claude/settings.local.json", named("local"));
    const { cwd } = live;
    const { client } = await live.connect(choose("allow_once"));
    const { session } = await client.call("session/new", { cwd });
    const { sessionId } = session;
    const states = async () =>
      (await client.call("mcp/list", { sessionId })).servers.map(({ name, state, from }) => `${name} ${state} ${from}`);
    await prompt(client, sessionId, "1");
    const { seq } = await live.idle();
    const mine = `mine ready ${join(live.root, "home/.cursor/mcp.json")}`;
    const waiting = { claude, cursor, gemini, local, mine, one: cursor, vscode };
    expect(await states()).toEqual(
      Object.entries(waiting).map(([name, from]) => (name === "mine" ? mine : `${name} needs-trust ${from}`)),
    );
    expect(offered()[0]?.filter((name) => name.startsWith("mcp__") && !name.startsWith("mcp__mine__"))).toEqual([]);
    const { entries } = await client.call("extensions/list", { cwd });
    expect(entries.filter(({ kind }) => kind === "mcp").map(({ path, trusted }) => [path, trusted])).toEqual([
      [join(live.root, "home/.cursor/mcp.json"), true],
      ...[vscode, cursor, gemini, claude, local].map((path) => [path, false]),
    ]);
    const { hash, items } = await client.call("trust/get", { cwd });
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(["mcp"]));
    await client.call("trust/set", { cwd, hash, decision: "trust" });
    // Fields without an effect may change.
    put("project/.gemini/settings.json", `{"theme": "y", ${named("gemini").slice(1)}`);
    await prompt(client, sessionId, "2");
    await live.idle(seq);
    expect(await states()).toEqual(
      Object.entries({ ...waiting, mine: cursor }).map(([name, from]) => `${name} ready ${from}`),
    );
    expect((await client.call("mcp/list", { sessionId })).servers.find(({ name }) => name === "one")).toMatchObject({
      shadows: [vscode],
    });
  });
});

import { protocolError } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";

async function opened(prepare: (window: TestWindow) => void = () => undefined): Promise<TestWindow> {
  const window = testWindow();
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

const note = ({ store }: TestWindow): string | undefined => store.get().notes.at(-1)?.text;

describe("slash commands", () => {
  it("complete while the name is typed, and run with Enter", async () => {
    const window = await opened();
    window.send("/hi");
    expect(window.store.get().composer.completion?.items.map(({ label }) => label)).toEqual(["/history"]);
    window.send("\r");
    expect(window.store.get().screen).toBe("history");
    expect(window.store.get().composer.buffer.isEmpty).toBe(true);
  });

  it("are looked up again when the first letter is typed, and say who brings them along", async () => {
    const window = await opened();
    const labels = () =>
      window.store.get().composer.completion?.items.map(({ label, detail }) => `${label} ${detail}`) ?? [];
    window.server.answers["commands/list"] = () => ({
      commands: [
        {
          name: "Frontend:component",
          description: "Writes a component.",
          argumentHint: "<name>",
          needsSession: true,
          origin: { kind: "markdown", owner: "project", from: "/work/.claude/commands/Frontend/component.md" },
        },
        {
          name: "mcp:everything:simple_prompt",
          description: "A prompt.",
          needsSession: true,
          origin: { kind: "mcp", owner: "person", from: "everything" },
        },
        {
          name: "pdf",
          description: "Reads PDF files.",
          needsSession: true,
          origin: { kind: "skill", owner: "person", from: "/home/me/.claude/skills/pdf/SKILL.md" },
        },
      ],
      unused: [],
    });
    window.send("/");
    expect(labels().join()).not.toContain("Frontend");
    await settled();
    expect(labels().slice(-3)).toEqual([
      "/Frontend:component project: Writes a component",
      "/mcp:everything:simple_prompt MCP everything: A prompt",
      "/pdf yours, skill: Reads PDF files",
    ]);
    window.send("front");
    await settled();
    expect(labels()).toEqual(["/Frontend:component project: Writes a component"]);
    expect(window.server.paramsOf("commands/list").at(-1)).toEqual({ cwd: "/work" });
    window.send("\tButton\r");
    await settled();
    expect(window.server.paramsOf("command/run")).toEqual([
      { sessionId: "s1", name: "frontend:component", args: "Button" },
    ]);
  });

  it("that have come since the list was made are found when they are run", async () => {
    const window = await opened();
    const late = { name: "late", description: "Just written.", needsSession: false };
    window.server.answers["commands/list"] = () => ({ commands: [late], unused: [] });
    window.send("/late now\r");
    await settled();
    expect(window.server.paramsOf("command/run")).toEqual([{ cwd: "/work", name: "late", args: "now" }]);
  });

  it("that no list has are asked for by what was typed, and one that is not used says why", async () => {
    const window = await opened();
    const problem = "/work/.claude/commands/evil.md is not used: its folder is not trusted.";
    const longer = { name: "user:audit", description: "Mine.", needsSession: false };
    window.server.answers["commands/list"] = ({ name }: { name?: string }) => ({
      commands: name === "user:audit" ? [longer] : [],
      unused: [{ name: "Evil", from: "/work/.claude/commands/evil.md", problem }],
    });
    window.send("/user:audit now\r");
    await settled();
    expect(window.server.paramsOf("command/run")).toEqual([{ cwd: "/work", name: "user:audit", args: "now" }]);
    window.send("/evil\r");
    await settled();
    expect(note(window)).toBe(`/evil cannot be run. ${problem}`);
  });

  it("put the name typed in full first, so that Enter runs that command", async () => {
    const window = await opened();
    window.store.set({ serverCommands: [{ name: "mod", description: "Short.", needsSession: true }] });
    window.send("/mod");
    expect(window.store.get().composer.completion?.items.map(({ label }) => label)).toEqual(["/mod", "/model"]);
  });

  it("suggest close names when there is no such command", async () => {
    const window = await opened();
    window.send("/settnigs\r");
    await settled();
    expect(note(window)).toBe("There is no command /settnigs. Did you mean /settings?");
    window.send("/xyzzy\r");
    await settled();
    expect(note(window)).toContain("/help lists the commands.");
  });

  it("of the server run on the open session, which is made when there is none", async () => {
    const window = await opened();
    window.send("/compact the API\r");
    await settled();
    expect(window.server.paramsOf("session/new").length).toBe(1);
    window.send("/compact\r");
    await settled();
    expect(window.server.paramsOf("command/run")).toEqual([
      { sessionId: "s1", name: "compact", args: "the API" },
      { sessionId: "s1", name: "compact", args: "" },
    ]);
    expect(window.server.paramsOf("session/new").length).toBe(1);
    expect(note(window)).toBe("done");
  });

  it("of the server that need no session create none, and use the open one when there is one", async () => {
    const window = await opened();
    window.send("/egress\r");
    await settled();
    expect(window.server.paramsOf("session/new")).toEqual([]);
    window.send("/compact\r");
    await settled();
    window.send("/egress\r");
    await settled();
    const [first, , last] = window.server.paramsOf("command/run");
    expect(first).toEqual({ cwd: "/work", name: "egress", args: "" });
    expect(last).toEqual({ sessionId: "s1", name: "egress", args: "" });
  });

  it("of the server that were typed wrongly are named once", async () => {
    const window = await opened();
    const notes: string[] = [];
    for (const message of ["/compact takes nothing.", "There is no mode x."]) {
      window.server.answers["command/run"] = () => {
        throw protocolError("invalid_params", message, { issues: [] });
      };
      window.send("/compact x\r");
      await settled();
      notes.push(...window.store.get().notes.map(({ text }) => text));
    }
    expect(notes).toEqual(["/compact takes nothing.", "/compact: There is no mode x."]);
  });

  it("of the server show a long answer as a sheet, which Esc closes", async () => {
    const window = await opened();
    const text = Array.from({ length: 30 }, (_, at) => `${at + 1}. allow bash(npm run ${at})`).join("\n");
    window.server.answers["command/run"] = () => ({ text });
    window.send("/compact\r");
    await settled();
    expect(window.store.get().overlay).toEqual({ kind: "text", title: "/compact", text, scroll: 0 });
    window.send("\u001b[6~");
    expect(window.store.get().overlay).toMatchObject({ scroll: 10 });
    window.send(ESCAPE);
    expect(window.store.get().overlay).toBeUndefined();
  });

  it("of the server complete the words of their hint", async () => {
    const window = await opened();
    const hinted = {
      name: "audit",
      description: "Decisions",
      argumentHint: "[last N | session ID | clear]",
      needsSession: false,
    };
    window.server.answers["commands/list"] = () => ({ commands: [hinted], unused: [] });
    const labels = () => window.store.get().composer.completion?.items.map(({ label }) => label);
    window.send("/audit");
    await settled();
    window.send(" ");
    window.clock.advance(100);
    await settled();
    expect(labels()).toEqual(["last", "session", "clear"]);
    window.send("s");
    window.clock.advance(100);
    await settled();
    expect(labels()).toEqual(["session", "last"]);
  });

  it("are not commands when they are paths", async () => {
    const window = await opened();
    window.send("/usr/bin is full\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")).toMatchObject([{ prompt: [{ text: "/usr/bin is full" }] }]);
  });

  it("/title names the session", async () => {
    const window = await opened();
    window.send("hello\r");
    await settled();
    window.send("/title The parser\r");
    await settled();
    expect(window.server.paramsOf("session/set_title")).toEqual([{ sessionId: "s1", title: "The parser" }]);
  });
});

describe("/stop", () => {
  async function withAgents(): Promise<TestWindow> {
    const window = await opened();
    window.send("hello\r");
    await settled();
    for (const [at, childAgentId] of ["alpha", "beta", "bravo"].entries())
      window.server.update("s1", at + 1, {
        sessionUpdate: "subagent_update",
        childAgentId,
        task: `task of ${childAgentId}`,
        state: "running",
      });
    window.server.answers["session/cancel"] = () => ({ cancelled: true });
    return window;
  }

  it.each([
    ["/stop", "bravo"],
    ["/stop al", "alpha"],
    ["/stop beta", "beta"],
  ])("%s stops %s", async (typed, agentId) => {
    const window = await withAgents();
    window.send(`${typed}\r`);
    await settled();
    expect(window.server.paramsOf("session/cancel")).toEqual([{ sessionId: "s1", agentId }]);
    expect(note(window)).toBe(`Stopping agent ${agentId}.`);
  });

  it.each([
    ["/stop b", "Which one? beta, bravo."],
    ["/stop zeta", "No running subagent is called zeta. Running: alpha, beta, bravo."],
  ])("%s says %s", async (typed, said) => {
    const window = await withAgents();
    window.send(`${typed}\r`);
    await settled();
    expect(note(window)).toBe(said);
    expect(window.server.paramsOf("session/cancel")).toEqual([]);
  });

  it("stops all, each with those below it", async () => {
    const window = await withAgents();
    const below = { sessionUpdate: "subagent_update", childAgentId: "below", task: "part", state: "running" } as const;
    window.server.update("s1", 4, below, "alpha");
    window.send("/stop all\r");
    await settled();
    const stopped = window.server.paramsOf("session/cancel").map(({ agentId }) => agentId);
    expect(stopped).toEqual(["alpha", "beta", "bravo"]);
  });

  it("completes names, and says when no subagent is running", async () => {
    const window = await withAgents();
    window.send("/stop ");
    window.clock.advance(50);
    await settled();
    expect(window.store.get().composer.completion?.items.map(({ label }) => label)).toEqual(["alpha", "beta", "bravo"]);
    const idle = await opened();
    idle.send("/stop\r");
    await settled();
    expect(note(idle)).toBe("No subagent is running. Esc stops the turn.");
  });
});

describe("the key of the agents", () => {
  it("says on Home that there are none yet, and opens them over it once there is a session", async () => {
    const window = await opened();
    window.send("\u0018a");
    expect(note(window)).toBe("There are no agents yet: send a message first.");
    window.send("hello\r");
    await settled();
    window.send("/home\r");
    window.send("\u0018a");
    expect(window.store.get()).toMatchObject({ screen: "home", overlay: { kind: "agents" } });
    window.send("\r");
    expect(window.store.get()).toMatchObject({ screen: "chat", agentInView: "main" });
  });
});

describe("/model", () => {
  const models = [
    { provider: "ollama", model: "qwen3-coder", loaded: true },
    { provider: "openrouter", model: "anthropic/claude-sonnet-4" },
  ];
  const withModels = (window: TestWindow) => {
    window.server.answers["models/list"] = () => ({ models, problems: ["LM Studio does not answer."] });
  };

  it("opens a list that typing filters, and uses the marked one now and later", async () => {
    const window = await opened(withModels);
    window.send("hello\r");
    await settled();
    window.send("/model\r");
    await settled();
    expect(window.store.get().overlay).toMatchObject({
      kind: "models",
      models,
      problems: ["LM Studio does not answer."],
    });
    window.send("sonnet\r");
    await settled();
    const config = { provider: "openrouter", model: "anthropic/claude-sonnet-4" };
    expect(window.server.paramsOf("session/set_config_option")).toEqual([{ sessionId: "s1", config }]);
    expect(window.server.paramsOf("settings/set")).toEqual([
      {
        edits: [
          { key: "model", value: config.model },
          { key: "provider", value: config.provider },
        ],
      },
    ]);
    expect(window.store.get().overlay).toBeUndefined();
  });

  it("reports an unknown name and changes nothing", async () => {
    const window = await opened((each) => {
      withModels(each);
      each.server.answers["hud/get"] = () => ({
        permissionMode: "default",
        agentsRunning: 0,
        queued: 0,
        problem: 'Ollama has no model "nosuch".',
      });
    });
    window.send("/model nosuch\r");
    await settled();
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("hud/get")).toContainEqual({ cwd: "/work", config: { model: "nosuch" } });
    expect(note(window)).toBe('Ollama has no model "nosuch".');
    expect(window.server.paramsOf("settings/set")).toEqual([]);
  });

  it("with a name that a server of this machine does not list names its address", async () => {
    const place = "at 127.0.0.1:8080";
    const window = await opened(({ server }) => {
      const models = [{ provider: "openai", model: "qwen3-coder", place }];
      server.answers["models/list"] = () => ({ models, problems: [] });
      const numbers = { permissionMode: "default", agentsRunning: 0, queued: 0 };
      server.answers["hud/get"] = ({ config }) => ({ ...numbers, provider: "openai", ...(config as object) });
    });
    window.send("/model nosuch");
    await settled();
    window.send("\r");
    await settled();
    expect(note(window)).toContain('The server at 127.0.0.1:8080 lists no model "nosuch".');
  });

  it("with a name that its provider does not list asks once more, and then takes it", async () => {
    const window = await opened((each) => {
      withModels(each);
      const numbers = { permissionMode: "default", agentsRunning: 0, queued: 0 };
      each.server.answers["hud/get"] = ({ config }) => ({ ...numbers, provider: "ollama", ...(config as object) });
    });
    const say = async (text: string): Promise<void> => {
      window.send(text);
      await settled();
      window.send("\r");
      await settled();
    };
    await say("/model qwen3-codr");
    expect(note(window)).toContain('ollama lists no model "qwen3-codr". Did you mean qwen3-coder?');
    expect(window.server.paramsOf("settings/set")).toEqual([]);
    await say("/model other");
    expect(window.server.paramsOf("settings/set")).toEqual([]);
    await say("/model other");
    expect(note(window)).toBe("The model is now ollama/other.");
    expect(window.server.paramsOf("settings/set").length).toBe(1);
  });

  it("with a name sets it at once; before the first message it is the new session's", async () => {
    const window = await opened(withModels);
    window.send("/model ollama/qwen3-coder\r");
    await settled();
    window.send("\r");
    await settled();
    window.send("hello\r");
    await settled();
    expect(window.server.paramsOf("session/new")).toMatchObject([
      { config: { provider: "ollama", model: "qwen3-coder" } },
    ]);
  });
});

describe("notes above the input", () => {
  it("of a command are removed by the next one; problems of the settings stay until they are fixed", async () => {
    const problem = "permission_mode is not understood.";
    const window = await opened(({ server }) => {
      server.answers["settings/get"] = () => ({ settings: [], path: "", version: "1", problems: [problem] });
    });
    const texts = (): string[] => window.store.get().notes.map(({ text }) => text);
    expect(texts()).toEqual([problem]);
    window.send("/settnigs\r");
    await settled();
    expect(texts()).toEqual([problem, "There is no command /settnigs. Did you mean /settings?"]);
    window.send("/compact\r");
    await settled();
    expect(texts()).toEqual([problem, "done"]);
    window.server.answers["settings/get"] = () => ({ settings: [], path: "", version: "2", problems: [] });
    window.server.listeners?.notices["settings/changed"]?.({ version: "2" });
    await settled();
    expect(texts()).toEqual(["done"]);
  });
});

describe("@ completion", () => {
  it("asks once per frame while typing, and inserts the path", async () => {
    const window = await opened();
    window.send("see @");
    window.send("m");
    window.send("a");
    window.clock.advance(33);
    await settled();
    expect(window.server.paramsOf("files/search")).toEqual([{ cwd: "/work", query: "ma", limit: 20 }]);
    window.send("\t");
    expect(window.store.get().composer.buffer.text).toBe("see @src/main.ts ");
  });

  it("offers resources of MCP servers that run, and the values of a prompt's arguments, once there are servers", async () => {
    const window = await opened();
    window.server.answers["mcp/complete"] = ({ mention }) => ({
      items: [{ text: mention === undefined ? '"New York"' : "docs:file://a.md", description: "A" }],
    });
    window.send("@docs:");
    window.clock.advance(33);
    await settled();
    expect(window.server.paramsOf("mcp/complete")).toEqual([]);
    const hud = { permissionMode: "default", agentsRunning: 0, queued: 0, mcp: { ready: 1, total: 1 } } as const;
    window.store.set({ hud });
    window.send("f");
    window.clock.advance(33);
    await settled();
    expect(window.server.paramsOf("mcp/complete")).toEqual([{ cwd: "/work", mention: "docs:f" }]);
    window.send("\t");
    expect(window.store.get().composer.buffer.text).toBe("@docs:file://a.md ");
    window.send('\u0015/mcp:docs:weather Sales city="New');
    window.clock.advance(33);
    await settled();
    const typed = 'Sales city="New';
    expect(window.server.paramsOf("mcp/complete").at(-1)).toEqual({ cwd: "/work", command: "mcp:docs:weather", typed });
    window.send("\t");
    expect(window.store.get().composer.buffer.text).toBe('/mcp:docs:weather Sales "New York" ');
  });

  it("throws an answer for an older text away", async () => {
    const window = await opened();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    window.server.answers["files/search"] = () => promise;
    window.send("@ma");
    window.clock.advance(33);
    window.send(" and more");
    resolve({ paths: ["src/main.ts"] });
    await settled();
    expect(window.store.get().composer.completion).toBeUndefined();
  });

  it("stays closed after Esc until the text changes", async () => {
    const window = await opened();
    window.send("@");
    window.clock.advance(33);
    await settled();
    expect(window.store.get().composer.completion).toBeDefined();
    window.send(ESCAPE);
    window.clock.advance(100);
    await settled();
    expect(window.store.get().composer.completion).toBeUndefined();
    expect(window.store.get().composer.buffer.text).toBe("@");
  });
});

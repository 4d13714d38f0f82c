import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScenarioInput, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

const where = () => ({ cwd: probe.cwd, mcpServers: [] });

describe("a session that is loaded", () => {
  const talk: ScenarioInput = {
    turns: [
      turns.call("write", { file_path: "new.txt", content: "hello\n" }),
      turns.say("Written.", { thinking: "So that was it." }),
      turns.say("Again."),
    ],
  };

  it("is sent whole before the answer, which has modes and options; commands come after it", async () => {
    await started(talk);
    probe.answers["session/request_permission"] = choosing("allow_once");
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Write it");
    await probe.call("session/close", { sessionId });
    expect((await probe.prompt(sessionId, "More")).error?.code).toBe(-32002);
    const before = probe.messages.length;
    const loaded = await probe.call("session/load", { sessionId, ...where() });
    expect(loaded).toMatchObject({ modes: { currentModeId: "default" } });
    const kinds = probe.messages
      .slice(before)
      .map(
        ({ params, result }) =>
          (params?.update as { sessionUpdate: string })?.sessionUpdate ?? Object.keys(result ?? {}).join(),
      );
    const answerAt = kinds.indexOf("modes,configOptions");
    expect(kinds.slice(0, answerAt).filter((kind) => kind !== "usage_update")).toEqual([
      "user_message_chunk",
      "tool_call",
      "agent_thought_chunk",
      "agent_message_chunk",
      "session_info_update",
    ]);
    await probe.until(() => probe.updates("available_commands_update").length === 2);
    const [live, replayed] = probe.updates("tool_call");
    expect(replayed).toMatchObject({
      toolCallId: live?.toolCallId,
      kind: "edit",
      title: live?.title,
      status: "completed",
    });
    expect(replayed?.content).toMatchObject([{ type: "diff", oldText: null, newText: "hello\n" }]);
    expect((await probe.prompt(sessionId, "More")).result).toMatchObject({ stopReason: "end_turn" });
  });

  it("is resumed without a replay", async () => {
    await started(talk);
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Write it");
    await probe.call("session/close", { sessionId });
    const before = probe.updates().length;
    expect(await probe.call("session/resume", { sessionId, ...where() })).toHaveProperty("configOptions");
    expect(
      probe
        .updates()
        .slice(before)
        .filter(({ sessionUpdate }) => sessionUpdate.includes("message")),
    ).toEqual([]);
  });

  it.each(["session/load", "session/resume", "session/fork", "session/status"])(
    "is not found by %s",
    async (method) => {
      await started();
      await probe.initialize();
      const { error } = await probe.ask(method, { sessionId: "20200101-000000-none", ...where() });
      expect(error?.code).toBe(-32002);
    },
  );

  it("keeps its mode, and is listed after a restart of the agent", async () => {
    await started(talk);
    const sessionId = await probe.open();
    await probe.call("session/set_mode", { sessionId, modeId: "plan" });
    await probe.prompt(sessionId, "Write it");
    expect(await probe.end()).toBe(0);
    const again = probe.restart();
    await again.initialize();
    expect(await again.call("session/list", { cwd: probe.cwd })).toMatchObject({
      sessions: [{ sessionId, cwd: probe.cwd, title: "Write it", updatedAt: expect.any(String) }],
    });
    const loaded = await again.call("session/load", { sessionId, ...where() });
    expect(loaded).toMatchObject({ modes: { currentModeId: "plan" } });
    expect(again.updates("user_message_chunk")).toMatchObject([{ content: { text: "Write it" } }]);
    expect(again.problems).toEqual([]);
    expect(await again.end()).toBe(0);
  });
});

describe("what runs without a question", () => {
  it("is that of the settings when a session is loaded, and the answer says so", async () => {
    await started({ turns: [turns.say("One."), turns.say("Two.")] });
    const sessionId = await probe.open();
    await probe.call("session/set_mode", { sessionId, modeId: "allow-all" });
    await probe.prompt(sessionId, "First");
    await probe.call("session/close", { sessionId });
    const loaded = await probe.call("session/load", { sessionId, ...where() });
    expect(loaded).toMatchObject({ modes: { currentModeId: "default" } });
    mkdirSync(join(probe.root, "home"), { recursive: true });
    writeFileSync(join(probe.root, "home/settings.json"), '{ "permission_mode": "allow-all" }');
    await probe.call("session/close", { sessionId });
    const again = probe.restart();
    await again.initialize();
    const reloaded = await again.call("session/load", { sessionId, ...where() });
    expect(reloaded).toMatchObject({ modes: { currentModeId: "allow-all" } });
    expect(await again.end()).toBe(0);
  });
});

describe("sessions in store", () => {
  it("are listed page by page, those of other clients as well", async () => {
    await started({ turns: [turns.say("One.", { repeat: "always" })] });
    const titles: unknown[] = [];
    await probe.initialize();
    for (let at = 0; at < 51; at += 1) {
      const { sessionId } = await probe.call("session/new", where());
      await probe.prompt(String(sessionId), `Session ${at}`);
      await probe.call("session/close", { sessionId });
    }
    let cursor: unknown;
    for (let page = 0; page < 2; page += 1) {
      const { sessions, nextCursor } = await probe.call("session/list", { cwd: probe.cwd, cursor: cursor ?? null });
      titles.push(...(sessions as { title: string }[]).map(({ title }) => title));
      cursor = nextCursor;
    }
    expect(cursor).toBeUndefined();
    expect(new Set(titles).size).toBe(51);
  });

  it("are forked into one that can be prompted", async () => {
    await started({ turns: [turns.say("One."), turns.say("Two.")] });
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "First");
    const { sessionId: fork } = await probe.call("session/fork", { sessionId, cwd: probe.cwd });
    expect(fork).not.toBe(sessionId);
    expect((await probe.prompt(String(fork), "Second")).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.text(String(fork))).toBe("Two.");
  });

  it("have titles, an archive, states and a bin", async () => {
    await started({ turns: [turns.say("One.")] });
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "First");
    expect(await probe.call("session/set_title", { sessionId, title: "  My\n work " })).toEqual({ title: "My work" });
    expect((await probe.ask("session/set_title", { sessionId, title: " " })).error?.code).toBe(-32602);
    expect(await probe.call("session/status", { sessionId })).toEqual({ status: "open" });
    await probe.call("session/archive", { sessionId });
    expect(await probe.call("session/status", { sessionId })).toEqual({ status: "saved" });
    expect(await probe.call("session/list")).toEqual({ sessions: [] });
    expect(await probe.call("session/list", { archived: "only" })).toMatchObject({
      sessions: [{ sessionId, title: "My work", archived: true }],
    });
    expect(await probe.call("session/list", { archived: "include" })).toMatchObject({ sessions: [{ sessionId }] });
    expect((await probe.ask("session/list", { archived: "perhaps" })).error?.code).toBe(-32602);
    await probe.call("session/unarchive", { sessionId });
    expect(await probe.call("session/list")).toMatchObject({ sessions: [{ sessionId, archived: false }] });
    await probe.call("session/delete", { sessionId });
    expect(await probe.call("session/list")).toEqual({ sessions: [] });
    expect((await probe.ask("session/delete", { sessionId })).error?.code).toBe(-32002);
  });
});

describe("the configuration", () => {
  const option = (options: unknown, id: string) =>
    (options as { id: string; currentValue: string; options: { value: string }[] }[]).find((each) => each.id === id);

  it("has modes, models, thinking and a purpose, and says what has changed", async () => {
    await started();
    await probe.initialize();
    const { sessionId, configOptions, modes } = await probe.call("session/new", where());
    expect(modes).toMatchObject({ currentModeId: "default" });
    expect(option(configOptions, "model")?.currentValue).toMatch(/\/scripted$/);
    await probe.call("session/set_mode", { sessionId, modeId: "plan" });
    await probe.until(() => probe.updates("current_mode_update").some(({ currentModeId }) => currentModeId === "plan"));
    const set = (configId: string, value: unknown) =>
      probe.ask("session/set_config_option", { sessionId, configId, value });
    const back = (await set("mode", "accept-edits")).result?.configOptions;
    expect(option(back, "mode")?.currentValue).toBe("accept-edits");
    expect(option(back, "_agent_mode")?.currentValue).toBe("agent");
    expect(option((await set("effort", "high")).result?.configOptions, "effort")?.currentValue).toBe("high");
    expect(option((await set("_agent_mode", "research")).result?.configOptions, "_agent_mode")?.currentValue).toBe(
      "research",
    );
    for (const [id, value] of [
      ["mode", "yolo"],
      ["model", "none/none"],
      ["colour", "red"],
      ["effort", "a lot"],
    ])
      expect((await set(id ?? "", value)).error?.code).toBe(-32602);
    expect((await probe.ask("session/set_mode", { sessionId, modeId: "yolo" })).error?.code).toBe(-32602);
  });

  it("gets the models when they are known, and the use of the context window", async () => {
    await started({ models: [{ id: "scripted" }, { id: "other" }], turns: [turns.say("Hello.")] });
    const sessionId = await probe.open();
    await probe.until(() =>
      probe
        .updates("config_option_update")
        .some(({ configOptions }) =>
          option(configOptions, "model")?.options.some(({ value }) => value.endsWith("/other")),
        ),
    );
    await probe.prompt(sessionId, "Hello");
    await probe.until(() =>
      probe.updates("usage_update").some(({ used, size }) => Number(used) > 0 && Number(size) > 0),
    );
  });
});

describe("a slash command", () => {
  it("is offered after the answer, and answered", async () => {
    await started({ turns: [turns.say("Hello."), turns.say("A message.")] });
    const sessionId = await probe.open();
    await probe.until(() => probe.updates("available_commands_update").length > 0);
    const [offered] = probe.updates("available_commands_update");
    const names = ((offered?.availableCommands ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["undo", "rewind", "inspect", "pending", "review", "plan", "subagents", "processes"]),
    );
    await probe.prompt(sessionId, "Hello");
    for (const [typed, words] of [
      ["/subagents", "No subagents."],
      ["/subagents stop x", "There is no subagent x."],
      ["/processes", "No background processes."],
      ["/title Work", "The session is called Work."],
      ["/inspect", "tokens"],
      ["/undo", "undo"],
    ]) {
      expect((await probe.prompt(sessionId, typed ?? "")).result).toMatchObject({ stopReason: "end_turn" });
      expect(probe.text()).toContain(words);
    }
    await probe.prompt(sessionId, "/usr/bin/env is a path");
    expect(probe.text()).toContain("A message.");
  });

  it("may start a turn, which its answer waits for", async () => {
    await started({ turns: [turns.say("Looked through it.", { delayMs: 100 })] });
    const sessionId = await probe.open();
    expect((await probe.prompt(sessionId, "/review the readme")).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.text()).toContain("Looked through it.");
  });

  it("steers a running turn", async () => {
    await started({
      turns: [turns.call("bash", { command: "sleep 0.5" }), turns.say("Steered.", { delayMs: 100 })],
    });
    probe.answers["session/request_permission"] = choosing("allow_once");
    const sessionId = await probe.open();
    const prompt = probe.prompt(sessionId, "Go");
    await probe.until(() => probe.updates("tool_call").length > 0);
    expect((await probe.prompt(sessionId, "/steer the other way")).result).toBeDefined();
    expect((await prompt).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.updates("user_message_chunk")).toMatchObject([{ content: { text: "the other way" } }]);
  });
});

describe("a method of the server's own protocol", () => {
  it("is called behind _harness/", async () => {
    await started({ turns: [turns.say("Hello.")] });
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Hello");
    expect(await probe.call("_harness/session/request", { sessionId })).toBeDefined();
    expect(await probe.call("_harness/session/context", { sessionId })).toHaveProperty("sections");
    expect((await probe.ask("_harness/session/undo", { sessionId: 7 })).error?.code).toBe(-32602);
    for (const method of ["session/teleport", "shutdown", "initialize", "toString"])
      expect((await probe.ask(`_harness/${method}`)).error?.code).toBe(-32601);
  });
});

describe("a question of the agent", () => {
  const asking: ScenarioInput = {
    turns: [turns.call("ask_user", { question: "Which colour?", options: ["red", "blue"] }), turns.say("As you like.")],
  };

  it("is asked with a form where the client has forms", async () => {
    await started(asking);
    probe.answers["elicitation/create"] = () => ({ action: "accept", content: { words: "green" } });
    const sessionId = await probe.open({ elicitation: { form: {} } });
    await probe.prompt(sessionId, "Go");
    expect(probe.requests("elicitation/create")).toMatchObject([{ mode: "form", sessionId }]);
    expect(JSON.stringify(probe.model.requests.at(-1)?.body)).toContain("green");
  });

  it("is asked by the options of a permission where it has none", async () => {
    await started(asking);
    probe.answers["session/request_permission"] = ({ options }) => {
      const blue = (options as { optionId: string; name: string }[]).find(({ name }) => name === "blue");
      return { outcome: { outcome: "selected", optionId: blue?.optionId } };
    };
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Go");
    expect(probe.requests("elicitation/create")).toEqual([]);
    const [asked] = probe.requests("session/request_permission");
    expect(probe.updates("tool_call").map(({ title }) => title)).toContain("Which colour?");
    expect(asked?.toolCall).toMatchObject({ title: "Which colour?" });
    expect(JSON.stringify(probe.model.requests.at(-1)?.body)).toContain("blue");
  });
});

describe("edits in review", () => {
  it("are asked about file by file, and written if they are taken", async () => {
    await started({
      turns: [
        turns.calls([
          ["write", { file_path: "a.txt", content: "a\n" }],
          ["write", { file_path: "b.txt", content: "b\n" }],
        ]),
        turns.say("Done."),
      ],
    });
    const kinds = ["allow_once", "reject_once"];
    probe.answers["session/request_permission"] = (params) => choosing(kinds.shift() ?? "")(params);
    const sessionId = await probe.open();
    await probe.call("session/set_mode", { sessionId, modeId: "review" });
    await probe.prompt(sessionId, "Go");
    expect(probe.requests("session/request_permission")).toMatchObject([
      { toolCall: { kind: "edit", content: [{ type: "diff", oldText: null, newText: "a\n" }] } },
      { toolCall: { kind: "edit", content: [{ type: "diff", oldText: null, newText: "b\n" }] } },
    ]);
    expect(probe.files()).toEqual(["a.txt"]);
  });
});

describe("files of a folder that would run", () => {
  const projectServer = () => {
    mkdirSync(join(probe.cwd, ".harness"));
    writeFileSync(join(probe.cwd, ".harness/mcp.json"), JSON.stringify({ mcpServers: { x: { command: "rm" } } }));
  };

  it("are asked about again after the prompt with the question was cancelled; those behind it are, too", async () => {
    await started({ turns: [turns.say("Hello.")] });
    projectServer();
    probe.answers["session/request_permission"] = () => new Promise(() => undefined);
    const sessionId = await probe.open();
    const prompts = [probe.prompt(sessionId, "First"), probe.prompt(sessionId, "Second")];
    await probe.until(() => probe.requests("session/request_permission").length > 0);
    probe.notify("session/cancel", { sessionId });
    for (const prompt of prompts) expect((await prompt).result).toMatchObject({ stopReason: "cancelled" });
    probe.answers["session/request_permission"] = choosing("reject_once");
    expect((await probe.prompt(sessionId, "Third")).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.requests("session/request_permission")).toHaveLength(2);
  });

  it("are asked about with the first prompt", async () => {
    await started({ turns: [turns.say("Hello."), turns.say("Again.")] });
    projectServer();
    probe.answers["session/request_permission"] = choosing("allow_once");
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Hello");
    await probe.prompt(sessionId, "Again");
    const asked = probe.requests("session/request_permission");
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked)).toContain(".harness/mcp.json");
  });
});

import type { AgentMode, SessionConfig } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { SessionValues } from "../ports/session-ports.ts";

const write = calling(call("a", "write", { file_path: "x", content: "1" }));

function open(permissionMode: SessionValues["permission_mode"] = "default") {
  const script = [write, saying("done"), write, saying("done"), write, saying("done")];
  const memory = new MemorySession({ script, tools: memoryTools(), options: { permission_mode: permissionMode } });
  memory.session.begin({});
  const change = (values: Partial<SessionValues>) => {
    memory.values = { ...memory.values, ...values };
  };
  return { memory, change };
}
const configs = (memory: MemorySession) => memory.facts("config_option_update").map(({ config }) => config);
const outcomes = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome.status] : []));

describe("the permission mode of an open session", () => {
  it("a session records what it begins with where that does not follow from its facts and settings", () => {
    const begun = (asked: SessionConfig, options: Partial<SessionValues> & { mode?: AgentMode } = {}) => {
      const memory = new MemorySession({ script: [], options });
      memory.session.begin(asked);
      memory.session.begin(asked);
      return configs(memory);
    };
    expect(begun({})).toEqual([]);
    expect(begun({ mode: "agent" })).toEqual([]);
    expect(begun({}, { mode: "planning" })).toEqual([{ mode: "planning" }]);
    expect(begun({ model: "m", mode: "casual" })).toEqual([{ model: "m", mode: "casual" }]);
    expect(begun({ permissionMode: "deny" }, { permission_mode: "allow-all" })).toEqual([{ permissionMode: "deny" }]);
  });

  it("a session that is opened again keeps its agent mode, and has the permission mode of the setting", () => {
    const first = new MemorySession({ script: [], options: { mode: "planning" } });
    first.session.begin({ permissionMode: "deny" });
    const again = new MemorySession({ script: [], log: first.log, options: { mode: "casual" } });
    again.session.begin({});
    expect([again.session.mode, again.session.permissionMode]).toEqual(["planning", "allow-all"]);
    expect(configs(again).at(-1)).toEqual({ permissionMode: "allow-all" });
  });

  it("a permission request that is open is withdrawn when the setting becomes deny, and its call is denied", async () => {
    const { memory, change } = open();
    memory.ports.asker.onPermission = () => new Promise(() => undefined);
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    change({ permission_mode: "deny" });
    memory.session.reevaluate();
    await memory.session.idle();
    expect(memory.facts("permission_resolved")).toMatchObject([{ reason: "mode_changed" }]);
    expect(memory.facts("config_option_update").at(-1)).toEqual({
      sessionUpdate: "config_option_update",
      config: { permissionMode: "deny" },
      reason: "The setting permission_mode is deny now.",
    });
    expect(outcomes(memory)).toEqual(["denied"]);
  });

  it("a permission request that is open stays open when the setting becomes looser, which counts from the next request on", async () => {
    const { memory, change } = open();
    const answers: (() => void)[] = [];
    memory.ports.asker.onPermission = () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ outcome: "selected", optionId: "reject_once" }));
      });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    change({ permission_mode: "allow-all" });
    memory.session.reevaluate();
    expect(memory.session.permissionMode).toBe("default");
    expect(memory.facts("permission_resolved")).toEqual([]);
    answers[0]?.();
    await memory.session.idle();
    expect(outcomes(memory)).toEqual(["denied"]);
    expect(memory.session.permissionMode).toBe("allow-all");
  });

  it("a setting that nobody announced, as when the file was edited, counts from the next call on and is shown with the next request", async () => {
    const { memory, change } = open("allow-all");
    change({ permission_mode: "deny" });
    await memory.say("go");
    expect(outcomes(memory)).toEqual(["denied"]);
    expect(memory.session.state.config.permissionMode).toBe("deny");
  });

  it.each([
    ["stays, when the setting becomes looser", "default", "allow-all", "default"],
    ["stays, when the setting becomes stricter but is still looser than it", "default", "accept-edits", "default"],
    ["gives way, when the setting becomes stricter than it", "allow-all", "deny", "deny"],
  ] as const)("a mode chosen in the session %s", (_what, chosen, setting, then) => {
    const { memory, change } = open();
    memory.session.setConfig({ permissionMode: chosen });
    expect(memory.session.permissionMode).toBe(chosen);
    change({ permission_mode: setting });
    expect(memory.session.permissionMode).toBe(then);
    memory.session.reevaluate();
    expect(memory.session.state.config.permissionMode).toBe(then);
  });

  it("a session that chose none follows the setting, to a looser mode too, and after a stricter one does not return to its own", () => {
    const { memory, change } = open();
    const seen = (["allow-all", "deny", "default"] as const).map((permissionMode) => {
      change({ permission_mode: permissionMode });
      memory.session.reevaluate();
      return memory.session.state.config.permissionMode;
    });
    expect(seen).toEqual(["allow-all", "deny", "default"]);
    memory.session.setConfig({ permissionMode: "allow-all" });
    change({ permission_mode: "deny" });
    memory.session.reevaluate();
    change({ permission_mode: "default" });
    memory.session.reevaluate();
    expect(memory.session.permissionMode).toBe("default");
  });

  it("a mode chosen after the setting became stricter holds", () => {
    const { memory, change } = open();
    change({ permission_mode: "deny" });
    memory.session.reevaluate();
    memory.session.setConfig({ permissionMode: "allow-all" });
    memory.session.reevaluate();
    expect(memory.session.permissionMode).toBe("allow-all");
  });
});

describe("a setting that is changed in the middle of a turn", () => {
  it("a limit on requests counts for the turn that runs", async () => {
    const { memory, change } = open("allow-all");
    const script = memory.ports.chooseModel;
    let requests = 0;
    memory.ports.chooseModel = (config) => {
      requests += 1;
      if (requests === 1) change({ limits: { maxTurns: 1, maxToolCalls: 50 } });
      return script(config);
    };
    await memory.say("go");
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "max_turn_requests" });
    expect(memory.provider.requests).toHaveLength(1);
  });

  it("a model is chosen again for the next request of the turn", async () => {
    const { memory, change } = open("allow-all");
    const usual = memory.ports.chooseModel;
    let chosen = 0;
    memory.ports.chooseModel = (config) => {
      chosen += 1;
      if (chosen === 1) change({});
      return usual(config);
    };
    await memory.say("go");
    expect(memory.provider.requests).toHaveLength(2);
    expect(chosen).toBe(2);
  });

  it("custom instructions are in the next request, and the break of the prefix is explained", async () => {
    const { memory, change } = open("allow-all");
    await memory.say("go");
    change({ custom_instructions: "Answer in verse." });
    await memory.say("on");
    const [, before, after] = memory.provider.requests;
    expect(before?.system).not.toContain("Answer in verse.");
    expect(after?.system).toMatch(/^Answer in verse\./);
    expect(memory.facts("agent_message")[2]?.prefix?.break?.cause).toBe("the custom instructions changed");
  });
});

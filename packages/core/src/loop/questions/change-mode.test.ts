import type { AgentMode, PermissionMode } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../ports/provider.ts";

const web = {
  ...probeTool("look_up", () => ({ status: "ok" as const, text: "found", blocks: [] })),
  area: "web" as const,
};
const tools = [...memoryTools(new Map([["/work/a", "old"]])), web];
const go = (mode: string, id = "m") => calling(call(id, "switch_mode", { mode }));
const write = (id = "w") => calling(call(id, "write", { file_path: "a", content: "new" }));

type Life = { mode?: AgentMode; permissionMode?: PermissionMode; contextWindow?: number };
function begin(
  script: Script | ReturnType<typeof saying>[],
  { mode = "agent", permissionMode = "allow-all", contextWindow }: Life = {},
) {
  return new MemorySession({
    script,
    tools,
    options: { mode, permission_mode: permissionMode },
    ...(contextWindow ? { contextWindow } : {}),
  });
}
const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name);
const outcomes = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome] : []));
const causes = (memory: MemorySession) => memory.facts("agent_message").map(({ prefix }) => prefix?.break?.cause);

const everyday = ["start_subagent", "send_message", "question"];

describe("a session in a mode", () => {
  it.each<[AgentMode, string[], string]>([
    ["agent", ["read", "write", "bash", "look_up", ...everyday, "todo", "tool_search"], "Check your work"],
    ["planning", ["read", "look_up", ...everyday, "switch_mode", "todo", "tool_search"], "planning mode"],
    ["research", ["read", "look_up", ...everyday, "switch_mode", "todo", "tool_search"], "research mode"],
    ["casual", ["look_up"], "casual mode"],
  ])("a session in the mode %s has its tools and its texts", async (mode, wanted, words) => {
    const memory = begin([saying("hi")], { mode });
    await memory.say("hello");
    const [request] = memory.provider.requests;
    expect(names(request)).toEqual(wanted);
    expect(request?.system).toContain(words);
    expect(memory.session.mode).toBe(mode);
  });

  it("a session in a mode denies a call that the mode does not offer, and names the way out", async () => {
    const memory = begin([write(), saying("ok")], { mode: "planning" });
    await memory.say("go");
    const [outcome] = outcomes(memory);
    expect(outcome?.status).toBe("denied");
    expect(outcome?.text).toContain("planning mode");
    expect(outcome?.text).toContain("switch_mode");
  });

  it("a session keeps the mode of its facts, whatever new sessions have", async () => {
    const memory = begin([saying("hi"), saying("hi")]);
    await memory.say("hello");
    memory.session.setConfig({ mode: "research" });
    const again = new MemorySession({ script: [saying("x")], tools, log: memory.log, options: { mode: "casual" } });
    expect(again.session.mode).toBe("research");
    await again.say("on");
    expect(again.provider.requests[0]?.system).toContain("research mode");
  });

  it("subagents have the mode of their session", async () => {
    const script: Script = (_request, n) =>
      n === 0 ? calling(call("s", "start_subagent", { task: "look" })) : saying("done");
    const memory = begin(script, { mode: "research" });
    await memory.say("go");
    const [parent, child] = memory.provider.requests;
    expect(child?.system).toBe(parent?.system);
    expect(child?.tools).toEqual(parent?.tools);
  });
});

describe("the person changes the mode", () => {
  it("a mode that the person changes takes effect with the next request and is the cause of the broken prefix, and nothing else ever breaks it", async () => {
    const memory = begin((_request, n) => (n % 2 === 0 ? calling(call(`c${n}`, "look_up", {})) : saying("ok")));
    await memory.say("one");
    memory.session.setConfig({ mode: "agent" });
    await memory.say("two");
    memory.session.setConfig({ mode: "planning" });
    memory.session.setConfig({ mode: "agent" });
    await memory.say("three");
    const { requests } = memory.provider;
    for (const { system, tools: list } of requests) {
      expect(system).toBe(requests[0]?.system);
      expect(JSON.stringify(list)).toBe(JSON.stringify(requests[0]?.tools));
    }
    memory.session.setConfig({ mode: "planning" });
    await memory.say("four");
    await memory.say("five");
    const changed = requests.length - 4;
    expect(
      causes(memory)
        .map((cause, n) => [n, cause])
        .filter(([, cause]) => cause),
    ).toEqual([[changed, "the mode changed to planning"]]);
    expect(names(requests.at(-1))).not.toContain("write");
    const facts = memory.facts("config_option_update");
    expect(facts.map(({ config }) => config)).toEqual(
      ["agent", "planning", "agent", "planning"].map((mode) => ({ mode })),
    );
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a mode that the person changes in the middle of a turn denies calls of the old one, and the next request has the new tools", async () => {
    const script: Script = (_request, n) => {
      if (n === 0) memory.session.setConfig({ mode: "planning" });
      return n === 0 ? write() : saying("ok");
    };
    const memory: MemorySession = begin(script);
    await memory.say("go");
    const [first, second] = memory.provider.requests;
    expect(names(first)).toContain("write");
    expect(outcomes(memory)[0]?.status).toBe("denied");
    expect(names(second)).not.toContain("write");
    expect(second?.system).toContain("planning mode");
    expect(causes(memory)).toEqual([undefined, "the mode changed to planning"]);
  });
});

describe("the agent leaves planning mode with a plan", () => {
  const leave = (input: Record<string, unknown>) => calling(call("m", "ExitPlanMode", input));
  const offered = (memory: MemorySession) => memory.ports.asker.questions[0]?.options.map(({ name }) => name);

  it.each<[PermissionMode, string[]]>([
    ["default", ["Yes, and edits are allowed", "Yes, ask before each edit", "No, keep planning"]],
    ["review", ["Yes, and edits are allowed", "Yes, and edits are reviewed", "No, keep planning"]],
    ["accept-edits", ["Yes, switch to agent mode", "No, keep planning"]],
    ["allow-all", ["Yes, switch to agent mode", "No, keep planning"]],
    ["deny", ["Yes, switch to agent mode", "No, keep planning"]],
  ])("in the permission mode %s the answers are %j", async (permissionMode, answers) => {
    const memory = begin([leave({ plan: "# Plan" }), saying("ok")], { mode: "planning", permissionMode });
    await memory.say("go");
    expect(memory.ports.asker.questions).toMatchObject([{ about: "# Plan", freeText: true }]);
    expect(offered(memory)).toEqual(answers);
    expect(memory.session.mode).toBe("planning");
  });

  it.each<[string, PermissionMode, AgentMode]>([
    ["edits", "accept-edits", "agent"],
    ["yes", "default", "agent"],
    ["no", "default", "planning"],
    ["Fewer steps, please.", "default", "planning"],
  ])("the answer %s leads to the permission mode %s in %s mode", async (answer, permissionMode, mode) => {
    const life = { mode: "planning", permissionMode: "default" } as const;
    const memory = begin([leave({ plan: "# Plan" }), saying("ok")], life);
    memory.ports.asker.onQuestion = () => answer;
    await memory.say("go");
    expect(memory.session.permissionMode).toBe(permissionMode);
    expect(memory.session.mode).toBe(mode);
    const [outcome] = outcomes(memory);
    expect(outcome?.text).toContain(
      answer.startsWith("Fewer") ? answer : mode === "agent" ? "agent mode now" : "says no",
    );
    const facts = memory.facts("config_option_update").map(({ config }) => config);
    const edits = answer === "edits" ? { permissionMode } : {};
    expect(facts).toEqual(mode === "agent" ? [{ ...edits, mode }] : []);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("the last message of the turn is the plan where the call has none", async () => {
    const script = [saying("An old answer."), calling(call("l", "look_up", {})), go("agent"), saying("ok")];
    const memory = begin(script, { mode: "planning" });
    await memory.say("before");
    await memory.say("go");
    expect(memory.ports.asker.questions[0]).not.toHaveProperty("about");
    const said = { type: "text", text: "1. Do it." } as const;
    const spoken = [calling(said, call("m", "switch_mode", { mode: "agent" })), saying("ok")];
    const second = begin(spoken, { mode: "planning" });
    await second.say("go");
    expect(second.ports.asker.questions[0]?.about).toBe("1. Do it.");
  });
});

describe("the agent changes the mode", () => {
  it("the agent may change to a stricter mode without a question", async () => {
    const memory = begin([go("plan"), write(), saying("ok")]);
    await memory.say("go");
    expect(memory.ports.asker.questions).toEqual([]);
    expect(memory.session.mode).toBe("planning");
    expect(outcomes(memory).map(({ status }) => status)).toEqual(["ok", "denied"]);
    expect(outcomes(memory)[0]?.text).toContain("You are in planning mode now.");
    const [fact] = memory.facts("config_option_update");
    expect(fact).toMatchObject({ config: { mode: "planning" }, reason: "The agent switched to planning mode." });
    expect(causes(memory)).toEqual([undefined, "the mode changed to planning", undefined]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("the agent may ask for the mode it is in, and nothing changes", async () => {
    const memory = begin([go("agent"), saying("ok")]);
    await memory.say("go");
    expect(outcomes(memory)[0]).toMatchObject({ status: "ok", text: "You are in agent mode already." });
    expect(memory.facts("config_option_update")).toEqual([]);
    expect(causes(memory)).toEqual([undefined, undefined]);
  });

  it.each<[string, AgentMode, string, string]>([
    ["yes", "agent", "You are in agent mode now.", "The session is in agent mode now."],
    ["1", "agent", "You are in agent mode now.", "The session is in agent mode now."],
    ["no", "planning", "The person says no.", "You said no. The session stays in planning mode."],
    [
      "Only the tests, please.",
      "planning",
      "The person answers: Only the tests, please.",
      "You answered: Only the tests, please.",
    ],
  ])("the agent goes from planning into agent mode when the person says %j: %s", async (answer, mode, words, said) => {
    const memory = begin([go("agent"), write(), saying("ok")], { mode: "planning" });
    memory.ports.asker.onQuestion = () => answer;
    await memory.say("go");
    const [question] = memory.ports.asker.questions;
    expect(question?.message).toBe("The agent wants to leave planning mode to make changes. Allow it?");
    expect(memory.session.mode).toBe(mode);
    expect(outcomes(memory)[0]?.text).toContain(words);
    expect(outcomes(memory)[0]?.blocks).toEqual([{ type: "text", text: said }]);
    expect(outcomes(memory)[1]?.status).toBe(mode === "agent" ? "ok" : "denied");
    const states = memory.facts("state_update").map(({ state }) => state);
    expect(states).toEqual(["running", "requires_action", "running", "idle"]);
  });

  it.each<["allow-all" | "deny", AgentMode, AgentMode]>([
    ["allow-all", "agent", "agent"],
    ["allow-all", "planning", "planning"],
    ["allow-all", "research", "research"],
    ["deny", "agent", "planning"],
  ])(
    "the agent leaves planning where no one can be asked only for what was chosen, in the permission mode %s, chosen %s: %s",
    async (permissionMode, chosen, end) => {
      const first = chosen === "agent" ? [go("planning", "p")] : [];
      const memory = begin([...first, go("agent"), saying("ok")], { mode: chosen, permissionMode });
      memory.ports.asker.isThere = false;
      await memory.say("go");
      expect(memory.session.mode).toBe(end);
      expect(memory.ports.asker.questions).toEqual([]);
      const last = outcomes(memory).at(-1);
      if (end === "agent") expect(last?.status).toBe("ok");
      else
        expect(last?.text).toMatch(
          /^Nobody can be asked, and .* You stay in (planning|research) mode\. Give your plan/,
        );
    },
  );

  it("the agent does not leave a reading mode of an earlier life where no one can be asked", async () => {
    const memory = begin([saying("hi")]);
    await memory.say("hello");
    memory.session.setConfig({ mode: "planning" });
    const again = new MemorySession({
      script: [go("agent"), write(), saying("ok")],
      tools,
      log: memory.log,
      options: { mode: "agent", permission_mode: "allow-all" },
    });
    again.ports.asker.isThere = false;
    await again.say("on");
    expect(again.session.mode).toBe("planning");
    expect(outcomes(again).map(({ status }) => status)).toEqual(["error", "denied"]);
  });

  it.each<["research" | "casual", string | undefined]>([
    ["research", "yes"],
    ["research", "no"],
    ["casual", "yes"],
    ["research", undefined],
    ["casual", undefined],
  ])("the agent leaves the mode that a session was opened in for %s only with a yes: %s", async (to, answer) => {
    const memory = begin([go(to), go(to, "again"), saying("ok")]);
    memory.session.begin({ mode: "planning" });
    if (answer === undefined) memory.ports.asker.isThere = false;
    else memory.ports.asker.onQuestion = () => answer;
    await memory.say("go");
    expect(memory.session.mode).toBe(answer === "yes" ? to : "planning");
    const [question] = memory.ports.asker.questions;
    if (answer !== undefined)
      expect(question?.message).toBe(`The agent wants to leave planning mode for ${to} mode. Allow it?`);
  });

  it("the agent does not change the mode when the question is cancelled with its call", async () => {
    const memory = begin([go("agent"), saying("ok")], { mode: "research" });
    memory.ports.asker.onQuestion = () => new Promise(() => undefined);
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "state_update" && fact.state === "requires_action");
    expect(memory.session.cancelToolCall("m")).toBe(true);
    await memory.session.idle();
    expect(outcomes(memory)[0]?.status).toBe("cancelled");
    expect(memory.session.mode).toBe("research");
  });

  it("the agent goes into the mode that the person chose while being asked", async () => {
    const memory = begin([go("agent"), saying("ok")], { mode: "research" });
    memory.ports.asker.onQuestion = () => {
      memory.session.setConfig({ mode: "agent" });
      return "yes";
    };
    await memory.say("go");
    expect(memory.facts("config_option_update")).toHaveLength(1);
    expect(outcomes(memory)[0]).toMatchObject({ status: "ok" });
  });

  it("the agent does not change the mode when the person chooses a different one while being asked", async () => {
    const memory = begin([go("agent"), saying("ok")], { mode: "research" });
    memory.ports.asker.onQuestion = () => {
      memory.session.setConfig({ mode: "planning" });
      return "yes";
    };
    await memory.say("go");
    expect(memory.session.mode).toBe("planning");
    expect(outcomes(memory)[0]?.text).toBe("The person went into planning mode meanwhile: you are in that one.");
  });

  it("only the main agent changes the mode", async () => {
    const script: Script = (request, n) => {
      if (n === 0) return calling(call("s", "start_subagent", { task: "look" }));
      const isChild = JSON.stringify(request.messages[0]).includes("look");
      const isFirst = !request.messages.some(({ role }) => role === "tool");
      return isChild && isFirst ? go("agent", "child") : saying("done");
    };
    const memory = begin(script, { mode: "planning" });
    await memory.say("go");
    const outcome = memory
      .facts("tool_call_update")
      .find((each) => each.toolCallId === "child" && each.outcome)?.outcome;
    expect(outcome?.text).toContain("Only the main agent changes the mode.");
    expect(memory.session.mode).toBe("planning");
  });
});

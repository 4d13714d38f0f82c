import type { AgentDefinition } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../ports/provider.ts";
import type { SessionValues } from "../ports/session-ports.ts";

const reviewer: AgentDefinition = {
  name: "reviewer",
  description: "Reviews changes for mistakes.",
  prompt: "You are a strict reviewer.",
  tools: ["Read", "functions.bash", "Teleport"],
};

/** Identifies the agent that makes a request by the first line of its task, or of the user's message. */
function taskOf({ messages: [first] }: ModelRequest): string {
  const text = first?.role === "user" && first.content[0]?.type === "text" ? first.content[0].text : "";
  return text.split("\n")[0] ?? "";
}
const turnsOf = (request: ModelRequest) => request.messages.filter((each) => each.role === "assistant").length;

/** The main agent orders once; every other agent answers according to `child`. */
function session(
  order: Record<string, unknown>,
  {
    tool = "start_subagent",
    agents = [reviewer],
    child = () => saying("done"),
    options = {},
  }: {
    tool?: string;
    agents?: AgentDefinition[];
    child?: Script;
    options?: Partial<SessionValues & { agent: AgentDefinition }>;
  } = {},
): MemorySession {
  const script: Script = (request, n) => {
    if (taskOf(request) !== "go") return child(request, n);
    return turnsOf(request) === 0 ? calling(call("a", tool, order)) : saying("all done");
  };
  const memory = new MemorySession({ script, tools: memoryTools(), options });
  memory.ports.agents = () => agents;
  return memory;
}
const childOf = (memory: MemorySession, task = "look") =>
  memory.provider.requests.find((each) => taskOf(each) === task);
const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name);
const answers = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome] : []));

describe("named agents", () => {
  it("named agents have only their tools, by any name of these, and their prompt in place of the mode's text", async () => {
    const memory = session({ task: "look", agent: "Reviewer" });
    await memory.say("go");
    const [parent, child] = [memory.provider.requests[0], childOf(memory)];
    expect(names(child)).toEqual(["read", "bash"]);
    expect(child?.system).toContain("You are harness, a coding agent");
    expect(child?.system).toContain("You are a strict reviewer.");
    expect(parent?.system).not.toContain("strict reviewer");
    expect(memory.session.agents()[1]).toMatchObject({ name: "reviewer", state: "completed" });
    const { live, folded } = memory.states;
    expect(live).toEqual(folded);
  });

  it("named agents are listed for the model if it can start subagents, and cost nothing if there are none", async () => {
    const descriptionOf = async (agents: AgentDefinition[]) => {
      const memory = session({ task: "look" }, { agents });
      await memory.say("go");
      return memory.provider.requests[0]?.tools.find(({ name }) => name === "start_subagent")?.description;
    };
    const without = await descriptionOf([]);
    expect(without).not.toContain("`agent` is one of");
    expect(await descriptionOf([reviewer])).toBe(
      `${without} \`agent\` is one of:\nreviewer: Reviews changes for mistakes.`,
    );
    const many = Array.from({ length: 40 }, (_, n) => ({ ...reviewer, name: `a${n}`, description: "x".repeat(900) }));
    expect((await descriptionOf(many.slice(0, 20)))?.length).toBeLessThan(2_400);
    expect(await descriptionOf(many)).toContain("`agent` is one of: a0, a1, ");
  });

  it("named agents that come while a session is open can be started, and change no byte of its prefix", async () => {
    const memory = session({ task: "look", agent: "late" }, { agents: [] });
    await memory.say("hello");
    memory.ports.agents = () => [{ ...reviewer, name: "late" }];
    await memory.say("and now");
    const [one, two] = memory.provider.requests;
    expect(two?.tools).toEqual(one?.tools);
    expect(two?.system).toBe(one?.system);
  });

  it("named agents that do not exist are not started, and the model learns which exist", async () => {
    const memory = session({ task: "look", agent: "tester" });
    await memory.say("go");
    expect(answers(memory)[0]).toMatchObject({ status: "error", text: expect.stringContaining("reviewer") });
    expect(memory.facts("subagent_update")).toEqual([]);
  });

  it("named agents start no agent that has a tool which they do not have", async () => {
    const starter = { ...reviewer, tools: ["start_subagent", "read"] };
    const child: Script = (request) =>
      taskOf(request) === "look" && turnsOf(request) === 0
        ? calling(call("b", "start_subagent", { task: "deeper" }))
        : saying("done");
    const memory = session({ task: "look", agent: "reviewer" }, { agents: [starter], child });
    await memory.say("go");
    expect(names(childOf(memory, "deeper"))).toEqual(["read", "start_subagent"]);
  });

  it("named agents without a list of tools have all but those that they are denied", async () => {
    const { tools: _, ...rest } = reviewer;
    const memory = session({ task: "look", agent: "reviewer" }, { agents: [{ ...rest, disallowedTools: ["Bash"] }] });
    await memory.say("go");
    const ofParent = names(memory.provider.requests[0])?.filter((name) => name !== "bash");
    expect(names(childOf(memory))).toEqual(ofParent);
  });

  it("named agents have no more permission than their session: modes go down and never up", async () => {
    const writing = calling(call("w", "write", { file_path: "x", content: "1" }));
    const child: Script = (request) => (turnsOf(request) === 0 ? writing : saying("done"));
    const outcome = async (change: Partial<AgentDefinition>, options: Partial<SessionValues>) => {
      const { tools: _, ...rest } = reviewer;
      const memory = session({ task: "look", agent: "reviewer" }, { agents: [{ ...rest, ...change }], child, options });
      memory.ports.asker.onPermission = () => ({ outcome: "selected", optionId: "reject_once" });
      await memory.say("go");
      return [
        answers(memory).find(({ text }) => !text.includes("subagent_id"))?.status,
        memory.ports.asker.permissions.length,
      ];
    };
    expect(await outcome({}, { permission_mode: "allow-all" })).toEqual(["ok", 0]);
    expect(await outcome({ permissionMode: "deny" }, { permission_mode: "allow-all" })).toEqual(["denied", 0]);
    expect(await outcome({ permissionMode: "default" }, { permission_mode: "allow-all" })).toEqual(["denied", 1]);
    expect(await outcome({ permissionMode: "allow-all" }, { permission_mode: "default" })).toEqual(["denied", 1]);
    expect(await outcome({ mode: "planning" }, { permission_mode: "allow-all" })).toEqual(["denied", 0]);
  });

  it("named agents in a mode of their own are offered its tools, and their session keeps its own", async () => {
    const { tools: _, ...rest } = reviewer;
    const memory = session({ task: "look", agent: "reviewer" }, { agents: [{ ...rest, mode: "planning" }] });
    await memory.say("go");
    expect(names(childOf(memory))).not.toContain("write");
    expect(names(memory.provider.requests.at(-1))).toContain("write");
    expect(memory.session.mode).toBe("agent");
  });

  it("named agents whose file says so work in a worktree, and are refused where there can be none", async () => {
    const memory = session({ task: "look", agent: "reviewer" }, { agents: [{ ...reviewer, worktree: true }] });
    await memory.say("go");
    expect(answers(memory)[0]).toMatchObject({ status: "error", text: expect.stringContaining("worktree") });
    const without = session(
      { task: "look", agent: "reviewer", worktree: false },
      { agents: [{ ...reviewer, worktree: true }] },
    );
    await without.say("go");
    expect(answers(without)[0]?.status).toBe("ok");
  });

  it("a session's main agent can be a named one", async () => {
    const memory = session({ task: "look" }, { options: { agent: reviewer } });
    await memory.say("hello");
    expect(names(memory.provider.requests[0])).toEqual(["read", "bash"]);
    expect(memory.provider.requests[0]?.system).toContain("You are a strict reviewer.");
  });
});

describe("a session that was begun as a named agent", () => {
  const planner: AgentDefinition = { ...reviewer, permissionMode: "deny", mode: "planning" };
  const begun = async (agent = reviewer) => {
    const memory = session({ task: "look" }, { options: { agent } });
    await memory.say("hello");
    return memory.log;
  };
  const resumed = async (log: MemorySession["log"], agents: AgentDefinition[], agent?: AgentDefinition) => {
    const script: Script = () => saying("hello again");
    const memory = new MemorySession({
      script,
      log,
      ports: { agents: () => agents },
      options: agent ? { agent } : {},
    });
    await memory.say("and now");
    return memory;
  };
  const notices = (memory: MemorySession) => memory.facts("notice").map(({ title }) => title);

  it("is that agent after a resume, as its file is by then, and says so in its list of agents", async () => {
    const memory = await resumed(await begun(), [
      { ...reviewer, name: "Reviewer", prompt: "You are a mild reviewer." },
    ]);
    expect(names(memory.provider.requests[0])).toEqual(["read", "bash"]);
    expect(memory.provider.requests[0]?.system).toContain("You are a mild reviewer.");
    expect(memory.session.agents()[0]).toMatchObject({ agentId: "main", name: "reviewer" });
    expect(notices(memory)).toEqual([]);
    const { live, folded } = memory.states;
    expect(live).toEqual(folded);
  });

  it("goes on with the session's own tools where the definition is gone, says so, and has no more permission", async () => {
    const memory = await resumed(await begun(planner), []);
    expect(names(memory.provider.requests[0])).toContain("start_subagent");
    expect(names(memory.provider.requests[0])).not.toContain("write");
    expect(memory.provider.requests[0]?.system).not.toContain("strict reviewer");
    expect(notices(memory)).toEqual([
      "The agent reviewer no longer exists, or its folder is not trusted: the session continues without its prompt, with the session's own tools.",
    ]);
    const again = await resumed(memory.log, [planner]);
    expect(again.provider.requests[0]?.system).toContain("You are a strict reviewer.");
  });

  it("becomes the requested one, and stays it", async () => {
    const other = { ...reviewer, name: "tester", prompt: "You are a tester." };
    const memory = await resumed(await begun(), [reviewer, other], other);
    expect(memory.facts("main_agent_update").map(({ name }) => name)).toEqual(["reviewer", "tester"]);
    const again = await resumed(memory.log, [reviewer, other]);
    expect(again.provider.requests[0]?.system).toContain("You are a tester.");
    expect(again.facts("main_agent_update")).toHaveLength(2);
  });
});

describe("the model of a subagent", () => {
  it("the model of a subagent may differ, even in its vendor, and the session keeps its own", async () => {
    const memory = session({ task: "look", model: "other/large" });
    const { chooseModel } = memory.ports;
    const asked: unknown[] = [];
    memory.ports.chooseModel = async ({ provider, model }) => {
      asked.push([provider, model]);
      const choice = await chooseModel({});
      return "problem" in choice || model === undefined ? choice : { ...choice, model: "large" };
    };
    await memory.say("go");
    expect(asked).toEqual([
      [undefined, undefined],
      ["", "other/large"],
    ]);
    expect(childOf(memory)?.model).toBe("large");
    expect(memory.provider.requests.at(-1)?.model).toBe("scripted-model");
  });

  it("the model of a subagent that names a provider without a key is not looked for at the session's", async () => {
    const model = "anthropic/claude-x";
    const memory = session({ task: "look", agent: "reviewer" }, { agents: [{ ...reviewer, model }] });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) =>
      config.model === model && config.provider === ""
        ? { problem: "Anthropic needs a key.", ofNamedProvider: true }
        : chooseModel(config);
    await memory.say("go");
    expect(answers(memory)[0]).toMatchObject({
      status: "error",
      text: expect.stringContaining("cannot be used: Anthropic needs a key."),
    });
    expect(memory.provider.requests.some((request) => request.model === model)).toBe(false);
  });

  it.each([false, true])(
    "the model of a subagent whose server is not running is a refused start (background: %s)",
    async (background) => {
      const model = "ollama/coder";
      const memory = session({ task: "look", model, background });
      const { chooseModel } = memory.ports;
      const asked: unknown[] = [];
      memory.ports.chooseModel = async (config) => {
        const choice = await chooseModel({});
        if (config.model !== model || "problem" in choice) return choice;
        asked.push(config.provider);
        return { ...choice, model: "coder", away: "Ollama is not running: start it." };
      };
      await memory.say("go");
      expect(answers(memory)[0]).toMatchObject({
        status: "error",
        text: expect.stringContaining("cannot be used: Ollama is not running: start it."),
      });
      expect([asked, memory.session.agents().length]).toEqual([[""], 1]);
    },
  );

  it("the model of a subagent that is not known is a refused start, with the reason", async () => {
    const memory = session({ task: "look", agent: "reviewer" }, { agents: [{ ...reviewer, model: "none" }] });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) =>
      config.model === undefined ? chooseModel(config) : { problem: `There is no model ${config.model}.` };
    await memory.say("go");
    expect(answers(memory)[0]).toMatchObject({
      status: "error",
      text: expect.stringContaining('The model \\"none\\" cannot be used: There is no model none.'),
    });
    expect(memory.session.agents()).toHaveLength(1);
  });
});

describe("an agent that is waited for", () => {
  it.each<[string, Record<string, unknown>]>([
    ["agent", { task: "look", agent: "reviewer" }],
    ["run_agent", { agent: "reviewer", task: "look" }],
    ["Task", { description: "a look", prompt: "look", subagent_type: "reviewer" }],
  ])("an agent that is waited for gives its result as that of the call: %s", async (tool, order) => {
    const memory = session(order, { tool, child: () => saying("no mistakes") });
    await memory.say("go");
    expect(answers(memory)).toMatchObject([{ status: "ok", text: "SUBAGENT agent-1 COMPLETED: no mistakes" }]);
    expect(memory.facts("user_message").filter(({ origin }) => origin === "subagent")).toHaveLength(1);
    expect(memory.session.agents()[0]).not.toHaveProperty("unread");
    expect(memory.session.agents()[1]).toMatchObject({ name: "reviewer", state: "completed" });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("an agent that is waited for is stopped with the call", async () => {
    const child: Script = () => [{ type: "until", promise: new Promise(() => undefined) }];
    const memory = session({ task: "look" }, { tool: "agent", child });
    memory.prompt("go");
    await memory.untilRequests(2);
    expect(memory.session.cancelToolCall("a")).toBe(true);
    await memory.session.idle();
    expect(memory.session.agents()[1]).toMatchObject({ state: "cancelled" });
    expect(answers(memory)[0]?.status).toBe("cancelled");
  });
});

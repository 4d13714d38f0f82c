import { call, calling, MemorySession, probeTool, type Script, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

/** A generator of numbers below `most`, the same for the same seed. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
}

/** A model that does anything a model may do: text, calls good and bad, nothing, failures, refusals. */
function erratic(roll: (most: number) => number): Script {
  return (_request, n): ScriptedEvent[] => {
    switch (roll(12)) {
      case 0:
      case 1:
      case 2:
        return calling(call(`c${n}`, "read", { file_path: `${n}` }));
      case 3:
        return calling(
          call("same", "probe", { n }),
          call("same", "write", { file_path: "x", content: `${n}` }),
          call("", "nothing", {}),
        );
      case 4:
        return calling({ type: "tool_call", toolCallId: `t${n}`, name: "read", inputText: '{"file_path":"cut' });
      case 5:
        return [{ type: "end", parts: [], stop: "end" }];
      case 6:
        return [
          { type: "text", text: "half" },
          { type: "failed", failure: { kind: "network", message: "reset" } },
        ];
      case 7: {
        const thinking = { type: "thinking" as const, text: `hm ${n}` };
        return [thinking, { type: "end", parts: [thinking, { type: "text", text: `so ${n}` }], stop: "length" }];
      }
      default:
        return saying(`answer ${n}`);
    }
  };
}

describe("a request", () => {
  it("a request names its lane and the maximum length of a reply", async () => {
    const script: Script = (request, n) =>
      request.priority === "turn" && n === 0 ? calling(call("a", "start_subagent", { task: "look" })) : saying("done");
    const memory = new MemorySession({ script });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) => ({ ...(await chooseModel(config)), maxOutputTokens: 2_000 }) as never;
    await memory.say("go");
    const lanes = memory.provider.requests.map(({ lane, priority }) => [priority, lane]);
    expect(lanes).toContainEqual(["turn", "s1/main"]);
    expect(lanes).toContainEqual(["subagent", "s1/agent-1"]);
    expect(memory.provider.requests.every(({ maxOutputTokens }) => maxOutputTokens === 2_000)).toBe(true);
    // Other programs' names for the tools are sent too, for models that write their calls as text.
    expect(memory.provider.requests.every(({ toolAliases }) => toolAliases !== undefined)).toBe(true);
  });

  it("a request leaves the length of a reply to the model where nothing is set", async () => {
    const memory = new MemorySession({ script: [saying("hi")] });
    await memory.say("go");
    expect(memory.provider.requests[0]).not.toHaveProperty("maxOutputTokens");
  });

  it.each(Array.from({ length: 30 }, (_, seed) => seed))(
    "a request is a prefix of the next one, whatever the model does (seed %d)",
    async (seed) => {
      const roll = dice(seed);
      const probe = probeTool("probe", () => {
        if (roll(3) === 0) memory.prompt(`steer ${roll(100)}`, "steer");
        return { status: "ok", text: "x".repeat(roll(500)), blocks: [] };
      });
      const base = new MemorySession({ script: [] });
      const memory: MemorySession = new MemorySession({
        script: erratic(roll),
        tools: [...base.ports.tools.tools, probe],
      });
      for (let n = 0; n < 8; n += 1) {
        memory.prompt(`message ${n}`);
        if (roll(4) === 0) memory.session.cancel();
        await memory.session.idle();
      }
      const { requests } = memory.provider;
      expect(requests.length).toBeGreaterThan(5);
      const bytes = requests.map(({ system, tools, messages }) => [
        system + JSON.stringify(tools),
        JSON.stringify(messages).slice(0, -1),
      ]);
      for (const [index, [head, messages]] of bytes.entries()) {
        const [headBefore, messagesBefore] = bytes[index - 1] ?? [head, ""];
        expect(head).toBe(headBefore);
        expect(messages?.startsWith(messagesBefore ?? "?")).toBe(true);
      }
      const reports = memory.facts("agent_message").flatMap(({ prefix }) => (prefix ? [prefix] : []));
      expect(reports.length).toBeGreaterThan(0);
      for (const { kept, of, break: where } of reports) {
        expect(kept).toBe(of);
        expect(where).toBeUndefined();
      }
      expect(memory.session.context()?.prefix).toEqual(reports.at(-1));
    },
  );
});

describe("a request with another beginning", () => {
  const ok: Script = () => saying("ok");
  const lastBreak = (memory: MemorySession) => memory.facts("agent_message").at(-1)?.prefix?.break;

  it("a request with another beginning reports that another model was chosen", async () => {
    const memory = new MemorySession({ script: ok });
    await memory.say("one");
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) => ({ ...(await chooseModel(config)), model: "another" }) as never;
    await memory.say("two");
    expect(lastBreak(memory)).toEqual({ section: "system", offset: 0, cause: "the model changed" });
  });

  it("a request with another beginning reports that the conversation was compacted", async () => {
    const memory = new MemorySession({ script: ok });
    for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
    await memory.session.compact();
    await memory.say("now?");
    expect(lastBreak(memory)).toMatchObject({ section: "tools", cause: "compaction" });
    await memory.say("and now?");
    expect(lastBreak(memory)).toBeUndefined();
  });

  it("a request gets another system text and other tools when the model has another context window", async () => {
    const memory = new MemorySession({ script: ok, contextWindow: 128_000 });
    const { chooseModel } = memory.ports;
    await memory.say("one");
    const systems = () => memory.provider.requests.map(({ system }) => system.length);
    const choose = (model: string, tokens: number) => {
      memory.ports.chooseModel = async (config) =>
        ({ ...(await chooseModel(config)), model, contextWindow: { tokens, source: "server" } }) as never;
    };
    choose("scripted-model", 8_192);
    await memory.say("two: the same model has less room than was believed");
    expect(systems()[1]).toBeLessThan(systems()[0] ?? 0);
    expect(lastBreak(memory)).toMatchObject({ section: "system", cause: "the context window changed" });
    choose("scripted-model", 64_000);
    await memory.say("three: more room does not justify breaking the prefix");
    expect(systems()[2]).toBe(systems()[1]);
    expect(lastBreak(memory)).toBeUndefined();
    choose("large-model", 64_000);
    await memory.say("four: another model is");
    expect(systems()[3]).toBe(systems()[0]);
  });

  it("a request follows a context window that shrinks, and asks for no larger one", async () => {
    let tokens = 8_192;
    const instructionFiles = async () => [{ path: "/w/AGENTS.md", text: "rule. ".repeat(3_000) }];
    const memory = new MemorySession({ script: ok, ports: { instructionFiles } });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) =>
      ({ ...(await chooseModel(config)), contextWindow: { tokens, source: "server" } }) as never;
    await memory.say("one");
    tokens = 2_048;
    await memory.say("two");
    const sent = memory.provider.requests.at(-1);
    expect(((sent?.system.length ?? 0) + JSON.stringify(sent?.tools).length) / 4).toBeLessThanOrEqual(2_048 / 3);
    expect(lastBreak(memory)?.cause).toBe("the context window changed");
    tokens = 4_096;
    await memory.say("three");
    expect(memory.provider.requests.map(({ contextWindow }) => contextWindow)).toEqual([8_192, 2_048, 2_048]);
    expect(lastBreak(memory)).toBeUndefined();
    expect(memory.session.context()?.windowTokens).toBe(2_048);
  });
});

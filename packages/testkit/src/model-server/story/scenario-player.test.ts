// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is the template syntax under test.
import { describe, expect, it } from "vitest";
import { chatConversation, type ScriptedRequest } from "./conversation.ts";
import { readScenario, type ScenarioInput } from "./scenario.ts";
import { ScenarioPlayer } from "./scenario-player.ts";
import { fillVariables } from "./template.ts";
import { turns } from "./turns.ts";

function playerOf(input: ScenarioInput): ScenarioPlayer {
  const reading = readScenario(input);
  if (!reading.ok) throw new Error(reading.problem);
  return new ScenarioPlayer(reading.scenario);
}

function asked(text: string, ...more: ScriptedRequest["messages"]): ScriptedRequest {
  return { model: "m", system: "You are a helper.", messages: [{ role: "user", text }, ...more], tools: ["bash"] };
}

function next(player: ScenarioPlayer, conversation: ScriptedRequest): string {
  const picking = player.next(conversation);
  return picking.ok ? (picking.pick.turn.text ?? "") : picking.problem;
}

describe("ScenarioPlayer", () => {
  it("plays each lane from its own start, whatever the order of the requests", () => {
    const player = playerOf({
      lanes: [
        { match: "count", turns: [turns.say("count 1"), turns.say("count 2")] },
        { name: "poets", match: { firstUser: "poem", hasTool: "bash" }, turns: [turns.say("poem 1")] },
      ],
      turns: [turns.say("main 1"), turns.say("main 2")],
    });
    const order = ["please count", "hello", "a poem", "hello", "please count"];
    expect(order.map((text) => next(player, asked(text)))).toEqual([
      "count 1",
      "main 1",
      "poem 1",
      "main 2",
      "count 2",
    ]);
  });

  it("gives every conversation of a lane its own script when asked", () => {
    const player = playerOf({
      lanes: [{ match: "file", perConversation: true, turns: [turns.say("one"), turns.say("two")] }],
    });
    expect(["file a", "file b", "file a", "file b"].map((text) => next(player, asked(text)))).toEqual([
      "one",
      "one",
      "two",
      "two",
    ]);
  });

  it("passes over a turn whose `when` does not hold, and comes back to it", () => {
    const player = playerOf({
      turns: [
        turns.say("ran it", { when: { toolResultFor: "bash" } }),
        turns.say("red", { when: { lastMessage: "fail" } }),
        turns.say("anything"),
      ],
    });
    const result = (text: string) => asked("go", { role: "tool", text, toolName: "bash" });
    expect(next(player, asked("go"))).toBe("anything");
    expect(next(player, result("1 fail"))).toBe("ran it");
    expect(next(player, result("1 fail"))).toBe("red");
  });

  it("repeats a turn n times or always, and says clearly when nothing is left", () => {
    const player = playerOf({ name: "short", turns: [turns.say("twice", { repeat: 2 })] });
    expect([next(player, asked("hi")), next(player, asked("hi"))]).toEqual(["twice", "twice"]);
    expect(next(player, asked("hi there"))).toBe(
      'The scenario "short" has no turn for this request: all 1 turns of lane "default" have been played ' +
        '(conversation begins with "hi there"). Add a turn, or give one "repeat".',
    );
    const endless = playerOf({ turns: [turns.say("again", { repeat: "always" })] });
    expect(Array.from({ length: 50 }, () => next(endless, asked("hi"))).every((text) => text === "again")).toBe(true);
  });

  it("says that turns are left whose `when` does not hold", () => {
    const player = playerOf({ turns: [turns.say("x", { when: { anyMessage: "never said" } })] });
    expect(next(player, asked("hi"))).toContain('1 of the 1 turns of lane "default" are left, but no "when"');
  });

  it("makes ids that are unique and the same in every run", () => {
    const keys = () => {
      const player = playerOf({
        lanes: [{ match: "a", turns: [{ repeat: 2 }] }],
        turns: [{ text: "x" }, { text: "y" }],
      });
      return ["a", "b", "b", "a"].map((text) => {
        const picking = player.next(asked(text));
        return picking.ok ? picking.pick.key : "";
      });
    };
    expect(keys()).toEqual(["1_0_0", "0_0_0", "0_1_0", "1_0_1"]);
  });
});

describe("readScenario", () => {
  it("says what is wrong and where", () => {
    const reading = readScenario({ turns: [{ txt: "typo" }, { fault: { kind: "explode" } }] });
    expect(reading.ok).toBe(false);
    const problem = reading.ok ? "" : reading.problem;
    expect(problem).toContain("txt");
    expect(problem).toContain("turns[1].fault");
  });

  it("refuses to cut arguments where no call is", () => {
    const reading = readScenario({ turns: [{ text: "x", fault: { kind: "cutArguments" } }] });
    expect(reading).toMatchObject({ ok: false, problem: expect.stringContaining("cutArguments needs toolCalls") });
  });
});

describe("chatConversation", () => {
  it("reads both formats: parts, names of results, system text apart", () => {
    const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
    const openAi = chatConversation({
      model: "m",
      messages: [
        { role: "system", content: "S" },
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "image_url", image_url: {} },
            { type: "text", text: "b" },
          ],
        },
        { role: "assistant", content: null, tool_calls: [call("c1")] },
        { role: "tool", tool_call_id: "c1", content: "text of the file" },
      ],
      tools: [{ type: "function", function: { name: "read" } }],
    });
    expect(openAi).toMatchObject({ system: "S", tools: ["read"] });
    expect(openAi.messages).toEqual([
      { role: "user", text: "ab" },
      { role: "assistant", text: "" },
      { role: "tool", text: "text of the file", toolName: "read" },
    ]);
    const ollama = chatConversation({ messages: [{ role: "tool", tool_name: "bash", content: "ok" }] });
    expect(ollama.messages).toEqual([{ role: "tool", text: "ok", toolName: "bash" }]);
    expect(chatConversation("rubbish").messages).toEqual([]);
  });
});

describe("fillTemplate", () => {
  const conversation = asked(
    "go",
    { role: "tool", text: "agent-7 started", toolName: "start_subagent" },
    { role: "tool", text: "ls output", toolName: "ls" },
  );

  it("fills variables and tool results everywhere, and leaves escapes alone", () => {
    const value = { a: "${cwd}/x", b: ["${result}", "${result:start_subagent}"], c: 5, d: "echo $${HOME} $1" };
    expect(fillVariables(value, { cwd: "/w" }, conversation)).toEqual({
      ok: true,
      value: { a: "/w/x", b: ["ls output", "agent-7 started"], c: 5, d: "echo ${HOME} $1" },
    });
  });

  it("names what it does not know", () => {
    const filling = fillVariables({ a: "${cwd} ${result:bash}" }, {}, conversation);
    expect(filling).toMatchObject({ ok: false, problem: expect.stringContaining("${cwd}, ${result:bash}") });
  });
});

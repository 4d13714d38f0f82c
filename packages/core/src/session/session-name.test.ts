import { failing, MemoryLog, MemorySession, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const isNaming: (request: Parameters<Script>[0]) => boolean = (request) => request.priority === "background";
/** Answers everything, and names the session like this. */
const naming =
  (name: string): Script =>
  (request) =>
    isNaming(request) ? saying(name) : saying("I did it.");
const open = (script: Script, title_model = "small") => {
  const memory = new MemorySession({ script });
  memory.values = { ...memory.values, title_model };
  return memory;
};
const named = (memory: MemorySession) => memory.session.nameByModel(new AbortController().signal);
const requests = (memory: MemorySession) => memory.provider.requests.filter(isNaming);

describe("the name of a session by a model", () => {
  it("replaces the first line after the first answer, and is written again after eight messages", async () => {
    const memory = open(naming("Parser of dates repaired"));
    expect(await named(memory)).toBe("none");
    await memory.say("fix it\nthe parser of dates");
    expect(memory.session.state).toMatchObject({ title: "fix it", titleOrigin: { by: "message" } });
    expect(await named(memory)).toBe("named");
    expect(memory.session.state).toMatchObject({
      title: "Parser of dates repaired",
      titleOrigin: { by: "model", messages: 1 },
    });
    expect(await named(memory)).toBe("none");
    for (let n = 2; n <= 7; n += 1) await memory.say(`message ${n}`);
    expect(await named(memory)).toBe("none");
    await memory.say("message 8");
    expect(await named(memory)).toBe("named");
    expect(memory.session.state.titleOrigin).toEqual({ by: "model", messages: 8 });
    await memory.say("message 9");
    expect(await named(memory)).toBe("none");
    expect(requests(memory)).toHaveLength(2);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("is a request of its own that leaves the conversation as it is", async () => {
    const memory = open(naming("A name"));
    await memory.say("x".repeat(10_000));
    await named(memory);
    const [request] = requests(memory);
    expect(request).toMatchObject({ tools: [], priority: "background", maxOutputTokens: 1_024 });
    expect(request).not.toHaveProperty("lane");
    expect(JSON.stringify(request?.messages).length).toBeLessThan(3_500);
    await memory.say("more");
    expect(JSON.stringify(memory.provider.requests.at(-1))).not.toContain("A name");
  });

  it.each([
    ["“Dates repaired”", "Dates repaired"],
    ["# Dates repaired\n\nI chose this because …", "Dates repaired"],
    ["Title: `Dates repaired`.", "Dates repaired"],
    ["Änderungen am Parser", "Änderungen am Parser"],
    ["word ".repeat(40), `${"word ".repeat(11).trim()}…`],
  ])("%j is the name %j", async (text, title) => {
    const memory = open(naming(text));
    await memory.say("fix it");
    await named(memory);
    expect(memory.session.state.title).toBe(title);
  });

  it("does not replace one that a person gave, before or meanwhile", async () => {
    const memory = open((request) => {
      if (isNaming(request)) memory.session.setTitle("Mine");
      return saying("Theirs");
    });
    await memory.say("fix it");
    await named(memory);
    expect(memory.session.state.title).toBe("Mine");
    expect(await named(memory)).toBe("none");
  });

  it("is not asked for without a model that may be asked", async () => {
    for (const wanted of ["off", ""]) {
      const memory = open(naming("A name"), wanted);
      await memory.say("fix it");
      expect(await named(memory)).toBe("none");
      expect(memory.session.state.title).toBe("fix it");
      expect(requests(memory)).toEqual([]);
    }
  });

  it("stays the first line if the request fails or the model says nothing, which is not repeated for ever", async () => {
    const failed = open((request) => (isNaming(request) ? failing("network") : saying("ok")));
    await failed.say("fix it");
    expect(await named(failed)).toBe("failed");
    expect(failed.session.state.title).toBe("fix it");
    expect(failed.facts("notice")).toEqual([]);
    const wrong = open((request) => (isNaming(request) ? failing("badRequest") : saying("ok")));
    await wrong.say("fix it");
    for (const _ of [1, 2]) expect(await named(wrong)).toBe("failed");
    expect(wrong.facts("notice")).toMatchObject([
      { title: expect.stringContaining("small (title_model) cannot name") },
    ]);
    const silent = open(naming(" \n**"));
    await silent.say("fix it");
    expect(await named(silent)).toBe("failed");
    expect(silent.session.state.title).toBe("fix it");
  });

  it("is known after a restart", async () => {
    const memory = open(naming("A name"));
    await memory.say("fix it");
    await named(memory);
    const again = new MemorySession({ script: naming("Another"), log: new MemoryLog("s1", "/work", memory.log.lines) });
    again.values = { ...again.values, title_model: "small" };
    expect(again.session.state.title).toBe("A name");
    expect(await named(again)).toBe("none");
  });
});

import { MemoryLog, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

function open(log?: MemoryLog) {
  let today = "2026-11-22";
  const memory = new MemorySession({
    script: () => saying("ok"),
    ports: { today: () => today },
    ...(log ? { log } : {}),
  });
  const setDay = (day: string) => {
    today = day;
  };
  return { memory, setDay };
}
const lastText = (memory: MemorySession) => {
  const last = memory.provider.requests.at(-1)?.messages.at(-1);
  return last?.role === "user" ? last.content.map((part) => (part.type === "text" ? part.text : "")) : undefined;
};

describe("the date", () => {
  it("the date goes with the first message of a day, and no other request changes with it", async () => {
    const { memory, setDay } = open();
    await memory.say("one");
    expect(lastText(memory)).toEqual(["one", "[Today: 2026-11-22]"]);
    await memory.say("two");
    expect(lastText(memory)).toEqual(["two"]);
    setDay("2026-11-23");
    await memory.say("three");
    expect(lastText(memory)).toEqual(["three", "[Today: 2026-11-23]"]);
    const [first, , third] = memory.provider.requests;
    expect(third?.system).toBe(first?.system);
    expect(third?.system).not.toContain("2026");
    expect(third?.messages.slice(0, 1)).toEqual(first?.messages);
    const shown = memory.session.state.agents.get("main")?.items.filter(({ kind }) => kind === "user");
    expect(shown?.map((item) => item.kind === "user" && item.content)).toEqual([
      [{ type: "text", text: "one" }],
      [{ type: "text", text: "two" }],
      [{ type: "text", text: "three" }],
    ]);
  });

  it("the date is known after a restart, and named again after a compaction or a rewind hid it", async () => {
    const { memory } = open();
    for (let n = 1; n <= 8; n += 1) await memory.say(`message ${n}`);
    const again = open(new MemoryLog("s1", "/work", memory.log.lines));
    await again.memory.say("more");
    expect(lastText(again.memory)).toEqual(["more"]);
    await again.memory.session.compact();
    await again.memory.say("still today");
    expect(lastText(again.memory)).toEqual(["still today"]);
    const [summary] = again.memory.provider.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(summary)).toContain("[Today: 2026-11-22]");
    const first = again.memory.session.state.agents.get("main")?.items.find(({ kind }) => kind === "user");
    await again.memory.session.rewind(first?.id ?? "", "conversation");
    await again.memory.say("from the start");
    expect(lastText(again.memory)?.at(-1)).toBe("[Today: 2026-11-22]");
  });
});

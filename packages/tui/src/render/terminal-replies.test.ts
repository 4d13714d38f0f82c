import { describe, expect, it } from "vitest";
import { TerminalReplies, tellsShiftEnter } from "./terminal-replies.ts";

const ASKED = "\u001b[5n";
const ANSWER = "\u001b[0n";

function replies() {
  const written: string[] = [];
  const told: string[] = [];
  const all = new TerminalReplies((data) => written.push(data), { take: () => undefined });
  return { all, written, told, acknowledge: (name: string) => all.acknowledge(() => told.push(name)) };
}

describe("what a terminal has processed", () => {
  it("is known once it has answered the question that was written behind it", () => {
    const { all, written, told, acknowledge } = replies();
    all.probe();
    all.take(ANSWER);
    acknowledge("one");
    acknowledge("two");
    expect([written, told]).toEqual([[ASKED, ASKED, ASKED], []]);
    all.take(ANSWER);
    expect(told).toEqual(["one"]);
    all.take("\u001b[?62;4c");
    expect(told).toEqual(["one"]);
    all.take(ANSWER);
    expect(told).toEqual(["one", "two"]);
  });

  it("counts as known where the terminal has never answered", () => {
    const { all, told, acknowledge } = replies();
    all.probe();
    acknowledge("one");
    expect(told).toEqual(["one"]);
  });

  it("is reported too late rather than too early if an answer was lost", () => {
    const { all, told, acknowledge } = replies();
    all.probe();
    all.take(ANSWER);
    // The answer to this goes to another program.
    acknowledge("lost");
    acknowledge("next");
    all.take(ANSWER);
    expect(told).toEqual(["lost"]);
    acknowledge("later");
    all.take(ANSWER);
    expect(told).toEqual(["lost", "next"]);
  });

  it("takes no answer that nobody asked for", () => {
    const { all, told, acknowledge } = replies();
    all.probe();
    for (let more = 0; more < 3; more += 1) all.take(ANSWER);
    acknowledge("one");
    expect(told).toEqual([]);
  });
});

describe("whether a terminal tells Shift+Enter from Enter", () => {
  it.each([
    ["kitty's protocol in force", ["\u001b[?5u", "\u001b[?62c"], true],
    ["xterm's in force", ["\u001b[>4;1m", "\u001b[?62c"], true],
    ["kitty's known and not in force", ["\u001b[?0u", "\u001b[?62c"], false],
    ["neither", ["\u001b[?62c"], false],
  ])("%s", async (_, answers, tells) => {
    const { all } = replies();
    const asked = tellsShiftEnter(all);
    for (const each of answers) all.take(each);
    expect(await asked).toBe(tells);
  });
});

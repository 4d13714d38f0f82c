import { describe, expect, it } from "vitest";
import { Inbox } from "./inbox.ts";

describe("Inbox", () => {
  it("lets a turn pass after each item that says so, and keeps the order", () => {
    const seen: string[] = [];
    const turns: Array<() => void> = [];
    const inbox = new Inbox<string>(
      (item) => {
        seen.push(item);
        return item.startsWith("answer") ? "pause" : "go on";
      },
      (task) => turns.push(task),
    );
    for (const item of ["a", "answer 1", "b", "answer 2", "c"]) inbox.put(item);
    expect(seen).toEqual(["a", "answer 1"]);
    turns.shift()?.();
    expect(seen).toEqual(["a", "answer 1", "b", "answer 2"]);
    inbox.put("d");
    turns.shift()?.();
    expect(seen).toEqual(["a", "answer 1", "b", "answer 2", "c", "d"]);
    expect(turns).toEqual([]);
    inbox.put("e");
    expect(seen.at(-1)).toBe("e");
  });
});

import { describe, expect, it } from "vitest";
import { commandItems, hintItems, takesFiles } from "./command-items.ts";
import type { KnownCommand } from "./known-command.ts";

const commands: KnownCommand[] = [
  { names: ["help"], description: "Commands" },
  { names: ["model"], description: "Choose the model", argumentHint: "[MODEL]" },
  { names: ["mode"], description: "The mode", argumentHint: "[casual|planning]" },
  { names: ["quit", "exit"], description: "Leave" },
  { names: ["compact"], description: "Summarise", argumentHint: "[what to keep | diff]" },
  { names: ["user:review-code"], description: "Reviews", argumentHint: "<file>", origin: "yours" },
];
const labels = (typed: string, sent: string[] = []): string[] =>
  commandItems(typed, { commands, sent }).map(({ label }) => label);

describe("the commands that are offered", () => {
  it.each([
    ["", ["/help", "/model", "/mode", "/quit", "/compact", "/user:review-code"]],
    ["mode", ["/mode", "/model"]],
    ["mo", ["/model", "/mode"]],
    ["exi", ["/exit"]],
    ["rev", ["/user:review-code"]],
    ["cde", ["/user:review-code"]],
    ["pac", ["/compact"]],
    ["zzz", []],
  ])("for /%s are %j", (typed, offered) => {
    expect(labels(typed)).toEqual(offered);
  });

  it("are those used most first, where they fit as well", () => {
    const sent = ["/compact", "hello", "/mode planning", "/compact diff", "/quit"];
    expect(labels("", sent).slice(0, 3)).toEqual(["/compact", "/mode", "/quit"]);
    expect(labels("mo", sent)).toEqual(["/mode", "/model"]);
    expect(labels("model", ["/mode", "/mode"])).toEqual(["/model"]);
  });

  it("count a use under each of their names", () => {
    expect(labels("", ["/exit"])[0]).toBe("/quit");
  });

  it("need more where an argument is wanted, or where the name was guessed", () => {
    const needing = (typed: string) =>
      commandItems(typed, { commands, sent: [] }).map(({ needsMore = false }) => needsMore);
    expect(needing("mo")).toEqual([false, false]);
    expect(needing("user")).toEqual([true]);
    expect(needing("qt")).toEqual([true]);
    expect(needing("ompac")).toEqual([true]);
    const tools = commandItems("tools", {
      commands: [{ names: ["permissions", "allowed-tools"], description: "" }],
      sent: [],
    });
    expect(tools).toMatchObject([{ label: "/allowed-tools", needsMore: true }]);
  });
});

describe("what may follow a command", () => {
  it("is each word of a choice", () => {
    expect(hintItems({ names: ["a"], description: "", argumentHint: "[last N | session ID | clear]" })).toMatchObject([
      { label: "last" },
      { label: "session" },
      { label: "clear" },
    ]);
    expect(hintItems({ names: ["a"], description: "", argumentHint: "[what to keep]" })).toEqual([]);
    expect(hintItems({ names: ["a"], description: "" })).toEqual([]);
  });

  it("can be files", () => {
    expect(takesFiles({ names: ["add"], description: "", argumentHint: "FILE…" })).toBe(true);
    expect(takesFiles({ names: ["title"], description: "", argumentHint: "TITLE" })).toBe(false);
  });
});

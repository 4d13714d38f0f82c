import { agentModes, permissionModes } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type Modes, modeSentence, modeWords, nextModes } from "./mode-words.ts";

describe("the mode that Shift+Tab switches to", () => {
  const planning = { permissionMode: "default", mode: "planning" } as const;
  const asks = { permissionMode: "default", mode: "agent" } as const;
  const edits = { permissionMode: "accept-edits", mode: "agent" } as const;
  const reviewed = { permissionMode: "review", mode: "agent" } as const;
  const sandboxed = { permissionMode: "auto-in-sandbox", mode: "agent" } as const;
  it.each<[Modes, boolean, Modes]>([
    [asks, false, edits],
    [{ permissionMode: "default" }, false, edits],
    [edits, false, reviewed],
    [edits, true, reviewed],
    [reviewed, false, planning],
    [reviewed, true, planning],
    [planning, false, asks],
    [planning, true, sandboxed],
    [sandboxed, true, asks],
    [{ permissionMode: "accept-edits", mode: "planning" }, false, asks],
    [{ permissionMode: "accept-edits", mode: "research" }, true, asks],
    [{ permissionMode: "deny", mode: "casual" }, true, asks],
    [{ permissionMode: "deny" }, false, asks],
    [{ permissionMode: "allow-all" }, true, asks],
  ])("after %j, with a sandbox: %j, is %j", (from, hasSandbox, next) => {
    expect(nextModes(from, { hasSandbox })).toMatchObject(next);
  });
});

describe("the words for a mode", () => {
  it.each<[Modes, string]>([
    [{ permissionMode: "default" }, "asks first"],
    [{ permissionMode: "accept-edits", mode: "agent" }, "edits allowed"],
    [{ permissionMode: "accept-edits", mode: "planning" }, "planning"],
    [{ permissionMode: "allow-all" }, "allows all"],
  ])("of %j are %s", (modes, word) => {
    expect(modeWords(modes).word).toBe(word);
  });

  it("are one notion: no two modes share a word, and each says what it does", () => {
    const all: Modes[] = [
      ...permissionModes.map((permissionMode) => ({ permissionMode })),
      ...agentModes.slice(0, -1).map((mode) => ({ permissionMode: "default" as const, mode })),
    ];
    expect(new Set(all.map((each) => modeWords(each).word)).size).toBe(all.length);
    for (const each of all) expect(modeSentence(each)).toMatch(/^[A-Z][a-z ]+: [a-z].*\.$/);
  });
});

import { applyUpdate, emptySession } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { unshownLines } from "./unshown-lines.ts";

const session = emptySession("s");
const update = {
  sessionUpdate: "notice" as const,
  severity: "info" as const,
  title: "Took back one turn.",
  description: "Removed: a.\nMerged: b.",
};
const chat = { screen: "chat" as const, session, agentInView: "main" };
applyUpdate(session, { sessionId: "s", seq: 1, at: "", agentId: "main", update });

describe("the answer of a command beside the conversation", () => {
  it("keeps the lines that the last notice does not show", () => {
    const text = "Took back one turn.\nRemoved: a.\nMerged: b.\n/redo takes this back.\n";
    expect(unshownLines(text, chat)).toBe("/redo takes this back.");
    expect(unshownLines(text, { ...chat, session: undefined })).toBe(text.trim());
    expect(unshownLines("Removed: a.", chat)).toBe("");
  });

  it("keeps the indent of the first line, which stands above others", () => {
    const text = "\n  a: of a\n→ b: of b\n\n";
    expect(unshownLines(text, chat)).toBe("  a: of a\n→ b: of b");
    expect(unshownLines(text, { ...chat, session: undefined })).toBe("  a: of a\n→ b: of b");
  });

  it("says all of it where the conversation is not in view", () => {
    expect(unshownLines("Removed: a.", { ...chat, screen: "home" })).toBe("Removed: a.");
  });
});

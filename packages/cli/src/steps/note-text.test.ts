import type { SessionUpdate } from "@harness/protocol";
import { expect, it } from "vitest";
import { noteText } from "./note-text.ts";

const rewind = (more: object): SessionUpdate => ({
  sessionId: "s",
  agentId: "main",
  seq: 1,
  update: {
    sessionUpdate: "rewind_update",
    rewindId: "r",
    kind: "rewind",
    turnIds: [],
    files: [],
    title: "2 messages were edited.",
    ...more,
  },
});

it("messages that were edited in their files are a note; a rewind that was asked for is not", () => {
  expect(noteText(rewind({ fromFiles: true }))).toBe("2 messages were edited.");
  expect(noteText(rewind({}))).toBeUndefined();
});

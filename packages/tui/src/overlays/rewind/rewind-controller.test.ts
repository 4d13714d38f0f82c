import type { SessionUpdate } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";

const said = (messageId: string, text: string, quoted = ""): SessionUpdate["update"] => ({
  sessionUpdate: "user_message",
  messageId,
  origin: "user",
  content: [...(quoted === "" ? [] : [{ type: "text" as const, text: quoted, quoted: true }]), { type: "text", text }],
});

/** Two messages; the first one's turn changed two files, and left others behind. */
async function talked(): Promise<TestWindow> {
  const window = testWindow();
  window.controller.start();
  await settled();
  window.send("first\r");
  await settled();
  const { server } = window;
  server.update("s1", 1, said("m1", "first"));
  server.update("s1", 2, { sessionUpdate: "checkpoint", checkpointId: "k1", reason: "turn" });
  server.update("s1", 3, {
    sessionUpdate: "turn_changes",
    before: "k1",
    after: "k2",
    files: [
      { path: "a", change: "modify", added: 10, removed: 2 },
      { path: "b", change: "create", added: 1, removed: 0 },
      { path: "__pycache__/a.pyc", change: "create", added: 0, removed: 0, binary: true },
    ],
    moreFiles: 0,
    added: 11,
    removed: 2,
  });
  server.update("s1", 4, said("m2", "second"));
  server.answers["session/rewind"] = ({ messageId, what }) => {
    const fromSeq = messageId === "m1" ? 1 : 4;
    const rewound = { rewindId: "r1", kind: "rewind" as const, turnIds: [], files: [] };
    const talk = what === "files" ? {} : { fromSeq };
    server.update("s1", 5, { sessionUpdate: "rewind_update", ...rewound, ...talk });
    return { files: [], text: "Went back." };
  };
  window.send("/rewind\r");
  return window;
}

const overlay = ({ store }: TestWindow) => store.get().overlay;
const typed = ({ store }: TestWindow): string => store.get().composer.buffer.text;

describe("/rewind", () => {
  it.each([
    ["fix it", "fix it"],
    ["x", "x"],
    ["\u001b[200~a paste\u001b[201~", "a paste"],
  ])("closes when a message is typed, which goes on in the input: %j", async (keys, text) => {
    const window = await talked();
    window.send(keys);
    expect(overlay(window)).toBeUndefined();
    expect(typed(window)).toBe(text);
    expect(window.server.paramsOf("session/rewind")).toEqual([]);
  });

  it("lists the person's messages, newest first, with what each turn changed", async () => {
    const window = await talked();
    expect(overlay(window)).toMatchObject({
      kind: "rewind",
      selected: 0,
      places: [
        { id: "m2", text: "second", files: 0 },
        { id: "m1", text: "first", files: 2, added: 11, removed: 2 },
      ],
    });
  });

  it.each([
    ["b", "both", "first"],
    ["c", "conversation", "first"],
    ["f", "files", ""],
  ])(
    "rewinds with %j (%s), and puts the message into the input when the conversation is rewound",
    async (key, what, text) => {
      const window = await talked();
      for (const keys of ["\u001b[B", "\r", key]) window.send(keys);
      await settled();
      expect(window.server.paramsOf("session/rewind")).toEqual([{ sessionId: "s1", messageId: "m1", what }]);
      expect(overlay(window)).toBeUndefined();
      expect(typed(window)).toBe(text);
      expect(window.store.get().notes.map((note) => note.text)).toEqual(["Went back."]);
    },
  );

  it.each([
    ["both", ["\r"]],
    ["conversation", ["\u001b[B", "\r"]],
    ["files", ["\u001b[A", "\r"]],
  ])("rewinds %s with arrows and Enter", async (what, keys) => {
    const window = await talked();
    for (const key of ["\u001b[B", "\r", ...keys]) window.send(key);
    await settled();
    expect(window.server.paramsOf("session/rewind")).toEqual([{ sessionId: "s1", messageId: "m1", what }]);
  });

  it("names a message by what the person wrote, and gives all of it back", async () => {
    const window = await talked();
    const quoted = "<stdin>\npiped\n</stdin>\n";
    window.send(ESCAPE);
    window.server.update("s1", 5, said("m3", "third", quoted));
    window.send("/rewind\r");
    expect(overlay(window)).toMatchObject({ places: [{ id: "m3", title: "third", text: `${quoted}third` }, {}, {}] });
  });

  it("leaves with Esc: first the question, then the list", async () => {
    const window = await talked();
    window.send("\r");
    expect(overlay(window)).toMatchObject({ chosen: true });
    window.send(ESCAPE);
    expect(overlay(window)).toMatchObject({ chosen: false });
    window.send(ESCAPE);
    expect(overlay(window)).toBeUndefined();
    expect(window.server.paramsOf("session/rewind")).toEqual([]);
  });

  it("restores only the files at a checkpoint before a command", async () => {
    const window = await talked();
    window.send(ESCAPE);
    const { server } = window;
    server.update("s1", 5, { sessionUpdate: "checkpoint", checkpointId: "k3", reason: "turn" });
    server.update("s1", 6, { sessionUpdate: "checkpoint", checkpointId: "k4", reason: "command" });
    window.send("/rewind\r");
    expect(overlay(window)).toMatchObject({ places: [{ id: "k4", kind: "checkpoint" }, { id: "m2" }, { id: "m1" }] });
    server.answers["session/rewind"] = () => ({ files: [], text: "Took back a part of a turn: 1 file." });
    for (const keys of ["\r", "b", "c"]) window.send(keys);
    await settled();
    expect(server.paramsOf("session/rewind")).toEqual([]);
    window.send("f");
    await settled();
    expect(server.paramsOf("session/rewind")).toEqual([{ sessionId: "s1", messageId: "k4", what: "files" }]);
  });

  it("gives no message back when nothing went back", async () => {
    const window = await talked();
    window.server.answers["session/rewind"] = () => ({ files: [], text: "The agent is at work." });
    for (const keys of ["\r", "b"]) window.send(keys);
    await settled();
    expect(typed(window)).toBe("");
    expect(window.store.get().notes).toMatchObject([{ text: "The agent is at work." }]);
  });

  it("with a number is the server's, and says when there is nothing to go back to", async () => {
    const window = await talked();
    window.send(ESCAPE);
    window.send("/rewind 1 files\r");
    await settled();
    expect(window.server.paramsOf("command/run")).toMatchObject([{ name: "rewind", args: "1 files" }]);
    window.send("/new\r");
    window.send("/rewind\r");
    expect(window.store.get().notes.at(-1)?.text).toContain("nothing to rewind to");
  });
});

// Files that the person has open in the editor of an ACP client.
import { turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";
import { EditorBuffers } from "../support/editor-buffers.ts";

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

const BOTH = { fs: { readTextFile: true, writeTextFile: true } };
const read = (file_path: string) => turns.call("read", { file_path });
const edit = (file_path: string, old_string: string, new_string: string) =>
  turns.call("edit", { file_path, old_string, new_string });

/** The last request to the model. */
const told = () => JSON.stringify(probe.model.requests.at(-1)?.body);

async function editing(script: Parameters<typeof started>[0], capabilities: object = BOTH) {
  await started(script);
  const editor = new EditorBuffers(probe);
  probe.answers["session/request_permission"] = choosing("allow_once");
  const begin = () => probe.open(capabilities);
  return { editor, begin };
}

describe("a file with unsaved changes", () => {
  it("is read, shown, changed and undone as the editor has it", async () => {
    const { editor, begin } = await editing({
      turns: [read("a.txt"), edit("a.txt", "typed", "agreed"), turns.say("Done.")],
    });
    editor.file("a.txt", "one\nold\n", "one\ntyped\n");
    const sessionId = await begin();
    await probe.prompt(sessionId, "Go");
    expect(told()).toContain("typed");
    const [asked] = probe.requests("session/request_permission");
    expect(JSON.stringify(asked)).toContain("typed");
    expect([editor.text("a.txt"), editor.disk("a.txt")]).toEqual(["one\nagreed\n", "one\nagreed\n"]);
    await probe.prompt(sessionId, "/undo");
    expect([editor.text("a.txt"), editor.disk("a.txt")]).toEqual(["one\ntyped\n", "one\ntyped\n"]);
    await probe.prompt(sessionId, "/redo");
    expect([editor.text("a.txt"), editor.disk("a.txt")]).toEqual(["one\nagreed\n", "one\nagreed\n"]);
  });
});

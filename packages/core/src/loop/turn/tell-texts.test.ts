import { ROOT_AGENT } from "@harness/protocol";
import { call, calling, MemorySession, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../ports/tool.ts";

const seen = (path: string) => ({ path, how: "read" as const, sizeBytes: 1, sha256: "a" });
const look = defineTool({
  name: "look",
  description: "Look at a file.",
  args: z.object({ path: z.string() }),
  category: "readOnly",
  effects: ({ path }) => [{ kind: "read", path }],
  title: ({ path }) => path,
  run: async ({ path }, { files }) => {
    files.record(path, { sizeBytes: 1, sha256: "a" });
    return { status: "ok", text: "seen", blocks: [] };
  },
});
const reading = (id: string, path: string) => calling(call(id, "look", { path }));

/** Instructions of `/work/api` as they are now. */
function session(script: ScriptedEvent[][], file = { text: "Api rule.", sha256: "1" }) {
  const asked: string[][] = [];
  const memory = new MemorySession({
    script,
    tools: [look],
    ports: {
      instructionsBelow: async (folders) => {
        asked.push([...folders]);
        return folders.some((folder) => folder.startsWith("/work/api"))
          ? [{ path: "/work/api/AGENTS.md", ...file }]
          : [];
      },
    },
  });
  const told = () =>
    memory
      .facts("user_message")
      .filter(({ kind }) => kind === "file_texts")
      .map(({ texts }) => texts);
  return { memory, asked, told, file };
}

describe("instructions below the working folder", () => {
  it("are looked for once in each folder, sent once, and announced to the person", async () => {
    const { memory, asked, told } = session([
      reading("1", "/work/api/a.ts"),
      reading("2", "/work/api/b.ts"),
      reading("3", "/work/api/deep/c.ts"),
      saying("done"),
    ]);
    await memory.say("go");
    expect(asked).toEqual([["/work/api"], ["/work/api/deep"]]);
    expect(told()).toEqual([[{ name: "/work/api/AGENTS.md", sha256: "1" }]]);
    const [notice] = memory.facts("notice");
    expect(notice?.title).toMatch(/^Instructions that apply from now on: .*api\/AGENTS\.md\.$/);
    const requests = memory.provider.requests.map(({ messages }) => messages);
    for (const [index, messages] of requests.entries())
      expect(messages.slice(0, requests[index - 1]?.length ?? 0)).toEqual(requests[index - 1] ?? []);
  });

  it("are sent again if the person went back before them", async () => {
    const { memory, told } = session([
      saying("hello"),
      reading("1", "/work/api/a.ts"),
      saying("done"),
      reading("2", "/work/api/a.ts"),
      saying("done again"),
    ]);
    await memory.say("first");
    await memory.say("second");
    expect(told()).toHaveLength(1);
    const message = memory.facts("user_message").find(({ content }) => JSON.stringify(content).includes("second"));
    await memory.session.rewind(message?.messageId ?? "", "conversation");
    await memory.say("third");
    expect(told()).toHaveLength(2);
  });

  it("are sent again if a summary has swallowed them", async () => {
    const { memory, told } = session([
      reading("1", "/work/api/a.ts"),
      ...Array.from({ length: 20 }, () => saying("A long answer, or a summary. ".repeat(100))),
    ]);
    for (let turn = 0; turn < 9; turn += 1) await memory.say(`message ${turn}`);
    expect(told()).toHaveLength(1);
    expect(await memory.session.compact()).not.toHaveProperty("problem");
    await memory.say("go on");
    expect(told()).toHaveLength(2);
    await memory.say("and on");
    expect(told()).toHaveLength(2);
  });

  it("are sent again when they have changed and the person has all instructions read again", async () => {
    const { memory, told, file } = session([
      reading("1", "/work/api/a.ts"),
      saying("done"),
      saying("nothing new"),
      saying("new"),
    ]);
    await memory.say("go");
    expect(await memory.session.texts.refresh()).toEqual({ changes: [] });
    await memory.say("go on");
    expect(told()).toHaveLength(1);
    Object.assign(file, { text: "Another rule.", sha256: "2" });
    await memory.session.texts.refresh();
    await memory.say("go on");
    expect(told().at(-1)).toEqual([{ name: "/work/api/AGENTS.md", sha256: "2" }]);
    expect(memory.facts("agent_message").map(({ prefix }) => prefix?.break)).toEqual([...Array(4)]);
  });
});

describe("pinned files", () => {
  it("are not in a subagent's requests, and in the main agent's only while they are pinned", async () => {
    const memory = new MemorySession({
      script: [
        calling(call("1", "start_subagent", { task: "Look." })),
        saying("seen"),
        saying("done"),
        saying("and again"),
        saying("last"),
      ],
      ports: { pinnedFile: async () => ({ text: "const a = 1;", seen: seen("/work/a.ts") }) },
    });
    memory.session.texts.pin([{ path: "/work/a.ts" }], []);
    await memory.say("go");
    await memory.session.idle();
    const withText = memory.provider.requests.map(({ system }) => system.includes("Pinned file"));
    expect(withText).toContain(false);
    expect(withText).toContain(true);
    memory.session.texts.pin([], []);
    await memory.say("go on");
    expect(memory.provider.requests.at(-1)?.system).not.toContain("Pinned file");
    expect(memory.session.state.agents.get(ROOT_AGENT)?.prefix?.break?.cause).toBe("other files are pinned");
  });
});

// Files that the person has open in the editor of an ACP client.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { pathToFileURL } from "node:url";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { type ScenarioInput, turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";
import { EditorBuffers } from "../support/editor-buffers.ts";

let probe: AcpProbe;
let editor: EditorBuffers;
const started = acpProbing((each) => {
  probe = each;
});

const BOTH = { fs: { readTextFile: true, writeTextFile: true } };
const read = (file_path: string) => turns.call("read", { file_path });
const edit = (file_path: string, old_string: string, new_string: string) =>
  turns.call("edit", { file_path, old_string, new_string });
const write = (file_path: string, content: string) => turns.call("write", { file_path, content });
const end = turns.say("Done.");

/** The last request to the model. */
const sent = () => JSON.stringify(probe.model.requests.at(-1)?.body);
const asked = () => probe.requests("session/request_permission");
const both = (name: string) => [editor.text(name), editor.disk(name)];

async function editing(...script: NonNullable<ScenarioInput["turns"]>): Promise<void> {
  await started({ turns: script });
  editor = new EditorBuffers(probe);
  probe.answers["session/request_permission"] = choosing("allow_once");
}

/** Has a session do what its script says. */
async function done(capabilities: object = BOTH): Promise<string> {
  const sessionId = await probe.open(capabilities);
  expect((await probe.prompt(sessionId, "Go")).result).toMatchObject({ stopReason: "end_turn" });
  return sessionId;
}

describe("a file with unsaved changes", () => {
  const difference = expect.objectContaining({
    type: "diff",
    oldText: "one\ntyped\n",
    newText: "one\nagreed\n",
  });

  it("is read, shown, changed, undone and redone as the editor has it", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "one\nold\n", "one\ntyped\n");
    const sessionId = await done();
    expect(asked()).toMatchObject([{ toolCall: { content: expect.arrayContaining([difference]) } }]);
    expect(both("a.txt")).toEqual(["one\nagreed\n", "one\nagreed\n"]);
    await probe.prompt(sessionId, "/undo");
    expect(both("a.txt")).toEqual(["one\ntyped\n", "one\ntyped\n"]);
    await probe.prompt(sessionId, "/redo");
    expect(both("a.txt")).toEqual(["one\nagreed\n", "one\nagreed\n"]);
  });

  it("that is changed later in a turn is undone to its text, too", async () => {
    await editing(write("b.txt", "new\n"), read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "old\n", "typed\n");
    const sessionId = await done();
    await probe.prompt(sessionId, "/undo");
    expect(both("a.txt")).toEqual(["typed\n", "typed\n"]);
    expect(probe.files()).toEqual(["a.txt"]);
  });

  it("whose change failed is not what an undo is about", async () => {
    await editing(write("b.txt", "new\n"), end, read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "old\n", "typed\n");
    const sessionId = await done();
    editor.onWrite = () => {
      throw new Error("read-only buffer");
    };
    await probe.prompt(sessionId, "Again");
    await probe.prompt(sessionId, "/undo");
    expect([...both("a.txt"), ...probe.files()]).toEqual(["typed\n", "old\n", "a.txt"]);
  });

  it("that is changed to what is on disk is undone to its text", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "old"), end);
    editor.file("a.txt", "old\n", "typed\n");
    const sessionId = await done();
    expect(both("a.txt")).toEqual(["old\n", "old\n"]);
    await probe.prompt(sessionId, "/undo");
    expect(both("a.txt")).toEqual(["typed\n", "typed\n"]);
  });

  it("keeps what the person types after the turn when it is undone", async () => {
    await editing(read("a.txt"), edit("a.txt", "two", "2"), end);
    const lines = ["one", "two", "three", "four", "five", "six", "seven", ""];
    editor.file("a.txt", lines.join("\n"));
    const sessionId = await done();
    editor.type("a.txt", editor.disk("a.txt").replace("seven", "7"));
    await probe.prompt(sessionId, "/undo");
    const text = lines.join("\n").replace("seven", "7");
    expect(both("a.txt")).toEqual([text, text]);
  });

  it("is what a mention and a link of a message send", async () => {
    await editing(end, end);
    editor.file("a.txt", "old\n", "typed\n");
    const sessionId = await probe.open(BOTH);
    await probe.prompt(sessionId, "See @a.txt");
    expect(sent()).toContain("typed");
    editor.type("a.txt", "typed again\n");
    const link = { type: "resource_link", uri: pathToFileURL(editor.path("a.txt")).href, name: "a.txt" };
    await probe.ask("session/prompt", { sessionId, prompt: [link] });
    expect(sent()).toContain("typed again");
  });

  it("is reviewed and written as the editor has it", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "one\nold\n", "one\ntyped\n");
    const sessionId = await probe.open(BOTH);
    await probe.call("session/set_mode", { sessionId, modeId: "review" });
    await probe.prompt(sessionId, "Go");
    expect(asked()).toMatchObject([{ toolCall: { content: expect.arrayContaining([difference]) } }]);
    expect(both("a.txt")).toEqual(["one\nagreed\n", "one\nagreed\n"]);
    await probe.prompt(sessionId, "/undo");
    expect(both("a.txt")).toEqual(["one\ntyped\n", "one\ntyped\n"]);
  });

  it("is changed by a subagent in the editor", async () => {
    const lane = (match: string, ...script: NonNullable<ScenarioInput["turns"]>) => ({ match, turns: script });
    await started({
      lanes: [
        lane("change it", read("a.txt"), edit("a.txt", "typed", "agreed"), turns.say("Changed.")),
        lane(
          "Go",
          turns.call("start_subagent", { task: "change it", wait: true }),
          turns.say("Done.", { repeat: "always" }),
        ),
      ],
    });
    editor = new EditorBuffers(probe);
    probe.answers["session/request_permission"] = choosing("allow_once");
    editor.file("a.txt", "old\n", "typed\n");
    await done();
    await probe.until(() => editor.text("a.txt") === "agreed\n");
    expect(both("a.txt")).toEqual(["agreed\n", "agreed\n"]);
  });
});

describe("a person who types", () => {
  it("while a permission waits has the change refused, and the agent told", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "old\n", "typed\n");
    probe.answers["session/request_permission"] = (params) => {
      editor.type("a.txt", "typed more\n");
      return choosing("allow_once")(params);
    };
    await done();
    expect([...both("a.txt"), editor.writes]).toEqual(["typed more\n", "old\n", []]);
    expect(sent()).toContain("has changed in the person's editor since you last read it");
  });

  it("between two turns has the agent told with the next one", async () => {
    await editing(read("a.txt"), end, end, end);
    editor.file("a.txt", "old\n", "typed\n");
    const sessionId = await done();
    await probe.prompt(sessionId, "And now?");
    const note = "Changed since you last read or wrote them: a.txt";
    expect(sent()).not.toContain(note);
    editor.type("a.txt", "typed more\n");
    await probe.prompt(sessionId, "And now?");
    expect(sent()).toContain(note);
  });
});

describe("an editor", () => {
  it("that is told of by links is asked by its own paths", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end, end);
    editor.file("a.txt", "old\n");
    const link = join(probe.root, "link");
    symlinkSync(probe.cwd, link);
    editor.open.set(join(link, "a.txt"), "typed\n");
    await probe.initialize(BOTH);
    const { sessionId } = await probe.call("session/new", { cwd: link, mcpServers: [] });
    await probe.prompt(String(sessionId), "Go");
    expect([editor.open.get(join(link, "a.txt")), editor.disk("a.txt")]).toEqual(["agreed\n", "agreed\n"]);
    editor.open.set(join(link, "a.txt"), "typed again\n");
    const mention = { type: "resource_link", uri: pathToFileURL(join(link, "a.txt")).href, name: "a.txt" };
    await probe.ask("session/prompt", { sessionId, prompt: [mention] });
    expect(sent()).toContain("typed again");
  });

  it("that formats has the agent told how", async () => {
    await editing(read("a.txt"), edit("a.txt", "old", "new()"), end);
    editor.file("a.txt", "old\n", "old\n");
    editor.onWrite = (_path, text) => text.replace("()", "();");
    await done();
    expect(sent()).toContain("was then changed in the person's editor (+1 -1)");
  });

  it("that refuses a change has the call fail, with its reason, and nothing changed", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "old\n", "typed\n");
    editor.onWrite = () => {
      throw Object.assign(new Error("Internal error"), { data: { details: "read-only" } });
    };
    await done();
    expect(sent()).toContain("the editor did not write it (Internal error: read-only)");
    expect(both("a.txt")).toEqual(["typed\n", "old\n"]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("boom")), "could not give its text"],
    ["has too much text", () => "x".repeat(6 * 1024 * 1024), "is too large"],
    ["answers with something else", () => 7 as unknown as string, "could not give its text"],
    ["does not answer", () => new Promise<string>(() => undefined), "did not answer in time"],
  ])("that %s leaves the agent with the disk, and a word about it", async (_what, onRead, words) => {
    await editing(read("a.txt"), edit("a.txt", "old", "new"), end);
    editor.file("a.txt", "old\n", "typed\n");
    editor.onRead = onRead;
    await done();
    expect([editor.disk("a.txt"), editor.writes]).toEqual(["new\n", []]);
    expect(sent().split(words)).toHaveLength(3);
  });

  it("that does not answer a write can be left by a cancel", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "old\n", "typed\n");
    editor.onWrite = () => new Promise<string>(() => undefined);
    const sessionId = await probe.open(BOTH);
    const answer = probe.prompt(sessionId, "Go");
    await probe.until(() => editor.writes.length > 0);
    probe.notify("session/cancel", { sessionId });
    expect((await answer).result).toMatchObject({ stopReason: "cancelled" });
    expect(editor.disk("a.txt")).toBe("old\n");
  });

  it("that offers nothing is never asked", async () => {
    await editing(read("a.txt"), edit("a.txt", "old", "new"), write("b.txt", "b\n"), end);
    editor.file("a.txt", "old\n", "typed\n");
    const sessionId = await done({});
    await probe.prompt(sessionId, "/undo");
    expect([editor.disk("a.txt"), editor.asked]).toEqual(["old\n", []]);
  });

  it("that only gives texts is never given one", async () => {
    await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
    editor.file("a.txt", "old\n", "typed\n");
    await done({ fs: { readTextFile: true } });
    expect([editor.disk("a.txt"), editor.writes]).toEqual(["agreed\n", []]);
  });

  it("that only takes texts is never asked for one", async () => {
    await editing(read("a.txt"), edit("a.txt", "old", "new"), end);
    editor.file("a.txt", "old\n");
    const sessionId = await done({ fs: { writeTextFile: true } });
    expect([editor.asked, editor.disk("a.txt")]).toEqual([["write a.txt"], "new\n"]);
    await probe.prompt(sessionId, "/undo");
    expect(both("a.txt")).toEqual(["old\n", "old\n"]);
  });

  it("is not asked about a file that the gate has refused, or that is elsewhere", async () => {
    await editing(read("a.txt"), read("../outside.txt"), end);
    editor.file("a.txt", "old\n", "typed\n");
    writeFileSync(join(probe.root, "outside.txt"), "outside\n");
    mkdirSync(join(probe.root, "home"), { recursive: true });
    const rules = [{ decision: "deny", tool: "read", path: "a.txt" }];
    const policies = join(probe.root, "home/policies.json");
    writeFileSync(policies, JSON.stringify({ version: 1, rules }), { mode: 0o600 });
    await done();
    expect(sent()).toContain("outside");
    expect(editor.asked).toEqual([]);
  });
});

it("the client of the SDK has its unsaved file changed", async () => {
  await editing(read("a.txt"), edit("a.txt", "typed", "agreed"), end);
  editor.file("a.txt", "old\n");
  const open = new Map([[editor.path("a.txt"), "typed\n"]]);
  const [program = "", ...args] = probe.command;
  const child = spawn(program, args, { env: probe.environment, cwd: probe.root, stdio: ["pipe", "pipe", "inherit"] });
  const input: NodeReadableStream = Readable.toWeb(child.stdout);
  const app = client({ name: "test" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => ({
      outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" },
    }))
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: open.get(params.path) ?? "" }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      open.set(params.path, params.content);
      writeFileSync(params.path, params.content);
      return {};
    });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), input as ReadableStream<Uint8Array>);
  await app.connectWith(stream, async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: BOTH });
    await agent.buildSession(probe.cwd).withSession(async (session) => {
      expect((await session.prompt("Go")).stopReason).toBe("end_turn");
    });
  });
  child.kill();
  expect([open.get(editor.path("a.txt")), readFileSync(editor.path("a.txt"), "utf8")]).toEqual([
    "agreed\n",
    "agreed\n",
  ]);
});

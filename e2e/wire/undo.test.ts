// Undo as other programs see it: a real server process, real git, a real shell.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, type StoredFact } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { answerOf, choose, LiveServer, say } from "../support/live-server.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const TEN = Array.from({ length: 10 }, (_, n) => `line ${n}`);
const tenLines = (edits: Record<number, string> = {}) => `${TEN.map((line, n) => edits[n] ?? line).join("\n")}\n`;

describe.skipIf(!hasGit)("undo over the wire", () => {
  let live: LiveServer;
  afterEach(() => live.close());
  const path = (name: string) => join(live.cwd, name);
  const read = (name: string) => readFileSync(path(name), "utf8");

  async function begin(...script: Parameters<typeof LiveServer.start>[0]["turns"] & object[]) {
    live = await LiveServer.start({ turns: script });
    mkdirSync(live.cwd);
    writeFileSync(path("notes.txt"), tenLines());
    writeFileSync(path("precious.txt"), "precious\n");
    const { client, process: server } = await live.connect(choose("allow_once"));
    const { session } = await client.call("session/new", { cwd: live.cwd });
    const { sessionId } = session;
    let prompts = 0;
    const prompt = async (text: string) => {
      prompts += 1;
      const after = live.lastSeq;
      await client.call("session/prompt", { sessionId, promptId: `p${prompts}`, prompt: say(text) });
      await live.idle(after);
    };
    const command = async (name: string, args = "") =>
      await answerOf(client.call("command/run", { sessionId, name, args }));
    return { client, server, sessionId, prompt, command };
  }

  it("restores a side effect of a shell, but not the person's later changes", async () => {
    const shell = "sed -i 's/line 2/AGENT/' notes.txt && rm precious.txt && mkdir made && echo x > made/file.txt";
    const { client, sessionId, prompt, command } = await begin(
      turns.call("bash", { command: shell }),
      turns.say("Done."),
    );
    await prompt("change things");
    expect(existsSync(path("precious.txt"))).toBe(false);
    const hud = await client.call("hud/get", { sessionId });
    expect(hud.agentChanges).toEqual({ added: 2, removed: 2, changedFiles: 3 });
    writeFileSync(path("notes.txt"), tenLines({ 2: "AGENT", 8: "PERSON" }));
    writeFileSync(path("mine.txt"), "mine\n");
    const undone = await client.call("session/undo", { sessionId });
    expect(undone.files).toEqual([
      { path: "made/file.txt", outcome: "deleted" },
      { path: "notes.txt", outcome: "merged" },
      { path: "precious.txt", outcome: "restored" },
    ]);
    expect(read("notes.txt")).toBe(tenLines({ 8: "PERSON" }));
    expect(readdirSync(live.cwd).sort()).toEqual(["mine.txt", "notes.txt", "precious.txt"]);
    expect((await client.call("hud/get", { sessionId })).agentChanges).toBeUndefined();
    expect(await command("redo")).toContain("Redone: 3 files.");
    expect(read("notes.txt")).toBe(tenLines({ 2: "AGENT", 8: "PERSON" }));
    expect(existsSync(path("precious.txt"))).toBe(false);
    expect(await command("undo")).toContain("Reverted the changes of one turn");
    expect(read("notes.txt")).toBe(tenLines({ 8: "PERSON" }));
    expect(statSync(join(live.home, "checkpoints")).mode & 0o077).toBe(0);
  });

  it("names what is in the way when the workspace is a file by now", async () => {
    const { client, sessionId, prompt } = await begin(
      turns.call("bash", { command: "echo changed > notes.txt" }),
      turns.say("done"),
    );
    await prompt("change it");
    renameSync(live.cwd, `${live.cwd}-moved`);
    writeFileSync(live.cwd, "a file");
    const { text } = await client.call("session/undo", { sessionId });
    expect(text).toContain(`ENOTDIR, ${live.cwd})`);
    expect(text).toContain("Move that file away, then try again.");
  });

  it("announces what /undo, /redo and /rewind did before their answer, so that a window shows it once", async () => {
    const { prompt, command } = await begin(turns.call("bash", { command: "echo one > made.txt" }), turns.say("One."));
    await prompt("first");
    for (const [name, args] of [["undo"], ["redo"], ["rewind", "1"]] as const) {
      const said = await command(name, args);
      const done = live.updates.flatMap(({ update }) => (update.sessionUpdate === "rewind_update" ? [update] : []));
      expect(done.at(-1)?.kind).toBe(name);
      expect(said).toContain(done.at(-1)?.title);
    }
  });

  it("rewinds conversation and files to before a message, and another process sees the same", async () => {
    const { client, sessionId, prompt, command } = await begin(
      turns.call("bash", { command: "echo one > made.txt" }),
      turns.say("One."),
      turns.call("bash", { command: "echo two > made.txt; rm precious.txt" }),
      turns.say("Two."),
      turns.say("Three."),
    );
    await prompt("first");
    await prompt("second");
    expect(await command("rewind")).toContain("1. first\n2. second");
    expect(await command("rewind", "9")).toContain("There is no 9");
    expect(await command("rewind", "2")).toContain("Rewound the conversation. Reverted the changes of one turn");
    expect([read("made.txt"), read("precious.txt")]).toEqual(["one\n", "precious\n"]);
    await prompt("third");
    const [request] = live.model.requests.slice(-1);
    expect(JSON.stringify(request?.body)).not.toContain("second");
    const facts = live.updates.filter((each): each is typeof each & StoredFact => each.seq !== undefined);
    await client.call("session/close", { sessionId });
    const { client: other } = await live.connect();
    const { events } = await other.call("session/history", { sessionId, limit: 1000 });
    expect(fold(sessionId, events as StoredFact[])).toEqual(fold(sessionId, facts));
    expect(live.model.problems).toEqual([]);
  });

  it("reverts the changes of a turn during which the server was killed", async () => {
    const shell = "echo x > made.txt; rm precious.txt; echo changed; sleep 60";
    const { client, server, sessionId } = await begin(turns.call("bash", { command: shell }), turns.say("never"));
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("go") });
    await live.until(({ update }) => update.sessionUpdate === "tool_output_chunk" && update.text.includes("changed"));
    process.kill(server.pid ?? Number.NaN, "SIGKILL");
    const { client: other } = await live.connect(choose("allow_once"));
    await other.call("session/resume", { sessionId, replay: { type: "none" } });
    await live.until(({ update }) => update.sessionUpdate === "turn_changes");
    writeFileSync(path("mine.txt"), "mine\n");
    const { files } = await other.call("session/undo", { sessionId });
    expect(files).toEqual([
      { path: "made.txt", outcome: "deleted" },
      { path: "precious.txt", outcome: "restored" },
    ]);
    expect(readdirSync(live.cwd).sort()).toEqual(["mine.txt", "notes.txt", "precious.txt"]);
  });
});

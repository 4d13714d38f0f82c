import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("The cellar.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  place.remove();
  await server.close();
});

function put(path: string, cwd: string): string {
  const line = (uuid: string, parentUuid: string | null, role: "user" | "assistant", content: unknown) =>
    JSON.stringify({
      uuid,
      parentUuid,
      type: role,
      cwd,
      timestamp: "2026-11-20T10:00:00Z",
      message: { role, content },
    });
  const rows = [
    line("1", null, "user", "where is the wine?"),
    line("2", "1", "assistant", [
      { type: "thinking", thinking: "Hm." },
      { type: "tool_use", id: "t", name: "Bash", input: { command: "find wine" } },
    ]),
    line("3", "2", "user", [{ type: "tool_result", tool_use_id: "t", content: "cellar/wine" }]),
  ];
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

describe("harness session import", () => {
  it("makes a session that the model can be asked about, says what did not come along, and leaves the file", async () => {
    const file = put(join(place.cwd, "foreign.jsonl"), "/not/here");
    const { code, stdout } = await runInProcess(place, ["session", "import", "foreign.jsonl"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Imported 2 messages from Claude Code. Left out: 1 thought.");
    const [, sessionId = ""] = /-r (\S+)/.exec(stdout) ?? [];
    expect(await place.run(["run", "-r", sessionId, "so where is it?"])).toMatchObject({
      code: 0,
      stdout: "The cellar.\n",
    });
    const asked = JSON.stringify(server.requests.at(-1)?.body);
    for (const text of ["where is the wine?", '<call tool=\\"Bash\\">', "cellar/wine", "so where is it?"])
      expect(asked).toContain(text);
    const listed = JSON.parse((await runInProcess(place, ["sessions", "--json"])).stdout).sessions[0];
    expect(listed).toMatchObject({ sessionId, preview: "where is the wine?", turns: 2, cwd: place.cwd });
    expect(put(file, "/not/here")).toBe(file);
  });

  it("goes on in the folder of the session where that is here, and in the one that is named", async () => {
    const own = join(place.root, "own");
    mkdirSync(own);
    const file = put(join(place.root, "a.jsonl"), own);
    const imported = async (...args: string[]) =>
      JSON.parse((await runInProcess(place, ["session", "import", file, "--json", ...args])).stdout);
    expect(await imported()).toMatchObject({ cwd: own, messages: 2 });
    expect(await imported("--cd", place.cwd)).toMatchObject({ cwd: place.cwd });
  });

  it("lists what another program keeps in its usual place", async () => {
    const home = String(place.env.HOME);
    expect(await runInProcess(place, ["session", "import", "--from", "codex"])).toMatchObject({
      stdout: "Codex has no sessions in ~/.codex/sessions or ~/.codex/archived_sessions.\n",
    });
    const file = put(join(home, ".claude/projects/-project/x.jsonl"), "/project");
    const { stdout } = await runInProcess(place, ["session", "import", "--from", "claude", "--list"]);
    expect(stdout).toContain("where is the wine?");
    expect(stdout).toContain(file);
    expect((await runInProcess(place, ["session", "import", "--list"])).stdout).toBe(stdout);
  });

  it("finds the file in the folder of --cd, too", async () => {
    const folder = join(place.root, "with-file");
    put(join(folder, "b.jsonl"), "/not/here");
    const { stdout } = await runInProcess(place, ["session", "import", "-C", folder, "b.jsonl", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ cwd: folder, messages: 2 });
  });

  it.each([
    [["absent.jsonl"], "absent.jsonl. harness session import --list shows what can be imported."],
    [["."], "is not the folder of a session. harness session dir shows where sessions are."],
    [[], "Name a file, or list what there is"],
    [["--from", "claude", "x.jsonl"], "leave FILE out"],
    [["--list", "x.jsonl"], "leave FILE out"],
    [["--from", "word"], "--from takes one of claude"],
  ])("says what is wrong with %j", async (args, problem) => {
    expect(await runInProcess(place, ["session", "import", ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
  });
});

describe("a bundle", () => {
  it("brings the checkpoints of its files: earlier turns are undone in the new folder", async () => {
    const scripted = await startModelServer({
      scenario: {
        turns: [turns.call("write", { path: "made.txt", content: "made\n" }), turns.say("Done.", { repeat: "always" })],
      },
    });
    const home = new TestHome(scripted.environment);
    try {
      expect(await home.run(["run", "--allow", "write", "make it"])).toMatchObject({ code: 0 });
      const from = home.cwd;
      const to = join(from, "..", "elsewhere");
      mkdirSync(to);
      writeFileSync(join(to, "made.txt"), "made\n");
      writeFileSync(join(to, "other.txt"), "other\n");
      const [{ sessionId }] = JSON.parse((await runInProcess(home, ["sessions", "--json"])).stdout).sessions;
      const bundle = join(to, "..", "talk.harness.gz");
      const exported = await runInProcess(home, ["session", "export", sessionId, "-o", bundle]);
      expect(exported).toMatchObject({ code: 0, stderr: "" });
      const { stdout } = await runInProcess(home, ["session", "import", bundle, "--cd", to]);
      expect(stdout).not.toContain("cannot be undone");
      const [, id = ""] = /-r (\S+)/.exec(stdout) ?? [];
      expect(await home.run(["run", "-r", id, "/undo"], { cwd: to })).toMatchObject({ code: 0 });
      expect(existsSync(join(to, "made.txt"))).toBe(false);
      expect(readFileSync(join(to, "other.txt"), "utf8")).toBe("other\n");
      expect(existsSync(join(from, "made.txt"))).toBe(true);
    } finally {
      home.remove();
      await scripted.close();
    }
  });
});

import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ModelServer, type ScenarioInput, startModelServer, turns, writeBrokenProject } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const fixTheTest = JSON.parse(
  readFileSync(join(root, "packages/testkit/src/model-server/scenarios/fix-the-test.json"), "utf8"),
) as ScenarioInput;
const hasPython = spawnSync("python3", ["--version"]).status === 0;

let folder: string;
let project: string;
let server: ModelServer;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness examples ")));
  project = join(folder, "project");
  mkdirSync(project);
  // Replaces bin/harness, which would look for a Node first.
  const command = join(folder, "harness");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/harness.mjs" "$@"\n`);
  chmodSync(command, 0o755);
  const touch = turns.call("bash", { command: "npm test; touch made" });
  const make = turns.call("bash", { command: "touch made" });
  const write = turns.call("write", { file_path: join(project, "watched.txt"), content: "watched\n" });
  // The rule of the example allows exactly this command.
  const watch = turns.call("bash", { command: "npm test", background: true, timeout_ms: 20_000, pattern: "watching" });
  writeFileSync(join(project, "package.json"), JSON.stringify({ scripts: { test: "echo watching; exec sleep 300" } }));
  server = await startModelServer({
    scenario: {
      name: "two clients",
      lanes: [
        { match: "failing test", turns: fixTheTest.turns ?? [] },
        { match: "watcher", turns: [write, watch, turns.say("It watches.")] },
        { match: "trick", turns: [touch, turns.say("I could not.")], perConversation: true },
        { match: "make a file", turns: [make, turns.say("Made."), turns.say("Hello again.")], perConversation: true },
        { match: "wrong key", turns: [turns.fail({ kind: "status", status: 401, times: "always" })] },
      ],
      turns: [turns.say("Hello there.", { chunk: { size: 3 }, repeat: "always" })],
    },
    variables: { cwd: project },
  });
  env = {
    PATH: process.env.PATH,
    HOME: folder,
    HARNESS_HOME: join(folder, "home"),
    HARNESS_COMMAND: command,
    HARNESS_MODEL: "scripted-model",
    ...server.environment,
  };
});
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

type Ended = { code: number; stdout: string; stderr: string };

function run(client: string, ...args: string[]): Promise<Ended> {
  const program = client.endsWith(".py") ? "python3" : process.execPath;
  return new Promise((done) => {
    execFile(program, [join(root, "examples", client), ...args], { cwd: project, env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}

describe("examples/client.mjs", () => {
  it("shows what the agent changed and what it left running, and runs a command of the person", async () => {
    const { code, stdout, stderr } = await run("client.mjs", "Start the watcher.");
    expect([code, stdout]).toEqual([0, "It watches."]);
    expect(stderr).toContain("+1 -0 watched.txt\n");
    expect(stderr).toContain("p1 ran on: npm test\n");
    rmSync(join(project, "watched.txt"));
    const own = await run("client.mjs", "!echo mine; exit 3");
    expect(own).toMatchObject({ code: 1, stdout: "mine\n" });
  });

  it("leads from a red test to a green one in a real repository", async () => {
    const { sourceFile } = await writeBrokenProject(project);
    const { code, stdout, stderr } = await run("client.mjs", "Fix the failing test.");
    expect(code).toBe(0);
    expect(stdout).toContain("I will read the failing test first.");
    expect(stdout).toContain("The tests are green.");
    expect(stderr.match(/^allow_once: .*$/gm)).toEqual([
      "allow_once: edit src/sum.js",
      "allow_once: bash npm test",
      "allow_once: edit src/sum.js",
      "allow_once: bash npm test",
    ]);
    expect(readFileSync(sourceFile, "utf8")).toContain("for (const number of numbers)");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: project, encoding: "utf8" })).toBe(" M src/sum.js\n");
    expect(spawnSync(process.execPath, ["--test"], { cwd: project }).status).toBe(0);
    expect(server.problems).toEqual([]);
  });

  it("refuses what its rule does not cover", async () => {
    const { code, stdout, stderr } = await run("client.mjs", "Try a trick.");
    expect([code, stdout]).toEqual([0, "I could not."]);
    expect(stderr).toContain("reject_once: bash npm test; touch made\n");
  });

  it("ends with 1 and the reason when the turn fails", async () => {
    const { code, stdout, stderr } = await run("client.mjs", "With the wrong key.");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("did not accept the API key (401)");
    expect((await run("client.mjs", "Hi.", join(folder, "no such folder"))).code).toBe(1);
  });
});

describe("examples/session.mjs", () => {
  it("is what the page shows", () => {
    const page = readFileSync(join(root, "docs/sdk.md"), "utf8");
    expect(page).toContain(`\`\`\`js\n${readFileSync(join(root, "examples/session.mjs"), "utf8")}\`\`\``);
  });

  it("answers what it is asked, prints the answer, and goes on in a stored session", async () => {
    const first = await run("session.mjs", "Please make a file.", project);
    expect(first).toMatchObject({ code: 0, stdout: "Made." });
    expect(first.stderr).toContain("Allowed: bash touch made\n");
    const [, entries, id = ""] = /end_turn; (\d+) entries in session (\S+)/.exec(first.stderr) ?? [];
    const second = await run("session.mjs", "Say hello.", project, id);
    expect(second).toMatchObject({ code: 0, stdout: "Hello again." });
    expect(second.stderr).toContain(`end_turn; ${Number(entries) + 3} entries in session ${id}\n`);
  });

  it("ends with 1 and the reason when the turn fails, or there is no such session", async () => {
    const failed = await run("session.mjs", "With the wrong key.", project);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("did not accept the API key (401)") });
    expect((await run("session.mjs", "Hi.", project, "none")).code).not.toBe(0);
  });
});

describe.skipIf(!hasPython)("examples/client.py", () => {
  it("runs a command of the person", async () => {
    expect(await run("client.py", "!echo mine")).toEqual({ code: 0, stdout: "mine\n\n", stderr: "" });
  });

  it("prints the answer as it streams", async () => {
    expect(await run("client.py", "Say hello.", project)).toEqual({ code: 0, stdout: "Hello there.\n", stderr: "" });
  });

  it("cannot be asked, so that nothing runs", async () => {
    expect(await run("client.py", "Try a trick with a snake.")).toMatchObject({ code: 0, stdout: "I could not.\n" });
  });

  it("ends with 1 and the reason when something fails", async () => {
    const failed = await run("client.py", "With the wrong key.");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("did not accept the API key (401)");
    const lost = await run("client.py", "Hi.", join(folder, "no such folder"));
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain("is not an existing directory");
  });
});

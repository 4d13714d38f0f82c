// `harness run` with a home whose files are damaged or invalid.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;
/** A home with one session of the folder. */
let stored: string;
let sessionId: string;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello there.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
  sessionId = String(resultOf(await place.run(["run", "--output-format", "json", "hi"])).sessionId);
  stored = join(place.root, "stored");
  renameSync(place.home, stored);
});
afterAll(async () => {
  await server.close();
  place.remove();
});
afterEach(() => {
  for (const path of [place.home, join(place.root, ".config")]) rmSync(path, { recursive: true, force: true });
});

const conversations = () => join(place.home, "conversations");

function leaveSession(): { sessionId: string; log: string } {
  cpSync(stored, place.home, { recursive: true, preserveTimestamps: true });
  return { sessionId, log: join(conversations(), sessionId, "log.jsonl") };
}

describe("harness run --continue", () => {
  it("goes on with a session whose first line is damaged", async () => {
    const { sessionId, log } = leaveSession();
    const bytes = readFileSync(log);
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    writeFileSync(log, bytes);
    const ended = await place.run(["run", "--output-format", "json", "--continue", "again"]);
    expect(resultOf(ended)).toMatchObject({ sessionId, exitCode: 0 });
    expect(ended.stderr).toContain("damaged");
  });

  it("says that the stored sessions cannot be read, not that there are none", async () => {
    const { sessionId, log } = leaveSession();
    rmSync(log);
    execFileSync("mkfifo", [log]);
    const ended = await place.run(["run", "--continue", "again"]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(sessionId) });
    expect(ended.stderr).toContain("it is not a regular file");
    rmSync(conversations(), { recursive: true });
    writeFileSync(conversations(), "");
    const none = await place.run(["run", "--continue", "again"]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("Could not list the stored sessions") });
  });
});

describe("a home that cannot hold files", () => {
  const withHome = (home: string) => ({ env: { HOME: home, HARNESS_HOME: undefined, XDG_CONFIG_HOME: undefined } });
  const clear = (text: string) => {
    expect(text).not.toContain("because of a bug");
    expect(text).not.toContain("internal error");
  };

  it.each([
    ["/dev/null", "a part of the path is a file"],
    ...(existsSync("/proc/self") ? [["/proc/self", "no folder can be created there"]] : []),
  ])("%s: says where the session cannot be stored; --ephemeral and providers work", async (home, why = "") => {
    const stored = await place.run(["run", "hi"], withHome(home));
    clear(stored.stderr);
    expect(stored).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
    expect(stored.stderr).toContain(home);
    const ephemeral = await place.run(["run", "--ephemeral", "hi"], withHome(home));
    clear(ephemeral.stderr);
    expect(ephemeral).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    const providers = await place.run(["providers"], withHome(home));
    clear(providers.stderr);
    expect(providers.code).toBe(0);
  });

  it("a .config that is a file: says that it is one", async () => {
    writeFileSync(join(place.root, ".config"), "");
    const stored = await place.run(["run", "hi"], withHome(place.root));
    clear(stored.stderr);
    expect(stored).toMatchObject({ code: 1, stderr: expect.stringContaining("a part of the path is a file") });
    expect(await place.run(["run", "--ephemeral", "hi"], withHome(place.root))).toMatchObject({ code: 0 });
  });
});

describe("files of the home that are not what they must be", () => {
  const odd: [string, (path: string) => void][] = [
    ["a named pipe", (path) => void execFileSync("mkfifo", [path])],
    ["an endless device", (path) => symlinkSync("/dev/zero", path)],
    ["a folder", (path) => mkdirSync(path)],
  ];

  it.each(odd)("%s in the place of any of them stops no start", async (_name, put) => {
    const { sessionId } = leaveSession();
    const names = ["models.json", "models.d/gguf.json", "vendors/own.conf", "logs/harness.log", "capabilities.json"];
    const ofSession = ["meta.json", "../.index.json", "../../prompts/.seeded.json", "../../prompts/agent.md"];
    const paths = [
      ...names.map((name) => join(place.home, name)),
      ...ofSession.map((name) => join(conversations(), sessionId, name)),
    ];
    for (const path of paths) {
      mkdirSync(join(path, ".."), { recursive: true });
      rmSync(path, { recursive: true, force: true });
      put(path);
    }
    expect(await place.run(["providers"])).toMatchObject({ code: 0 });
    const ended = await place.run(["run", "--output-format", "json", "--continue", "again"]);
    expect(resultOf(ended)).toMatchObject({ sessionId, exitCode: 0 });
  });

  it.each(odd)("%s in the place of a session's lock is replaced, or named", async (name, put) => {
    const { sessionId } = leaveSession();
    const lock = join(conversations(), sessionId, "lock");
    put(lock);
    const ended = await place.run(["run", "--continue", "again"]);
    if (name !== "a folder") return expect(ended).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`(EISDIR, ${lock})`) });
  });

  it("settings that are nested 200,000 deep are named, and nothing in them is used", async () => {
    mkdirSync(place.home, { recursive: true });
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    writeFileSync(join(place.home, "settings.json"), `{"model": ${deep}}`);
    const ended = await place.run(["run", "hi"]);
    expect(ended.stderr).toContain("nested deeper than 100 levels");
    expect(ended.stderr).not.toContain("bug");
  });
});

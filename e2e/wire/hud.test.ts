// The cost of the head-up display: a real server process, and a git that records each of its runs.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient, openLinkedClient } from "@harness/client";
import type { Hud } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";
import { openTestServer } from "../support/several-clients.ts";

const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();

describe.skipIf(git === "")("the head-up display", () => {
  let live: LiveServer;
  afterEach(() => live.close());

  /** The arguments of each git that a turn of slow calls started, with a client that receives these updates. */
  async function gitRuns(optOut: string[]): Promise<string[]> {
    const slow = turns.call("bash", { command: "sleep 0.3; echo x >> made.txt" });
    live = await LiveServer.start({ turns: [slow, slow, turns.say("Done.")] });
    mkdirSync(live.cwd);
    execFileSync(git, ["init", "-q"], { cwd: live.cwd });
    const runs = noteRuns();
    const process_ = live.spawn({ PATH: `${join(live.root, "programs")}:${process.env.PATH}` });
    const ended = Promise.withResolvers<void>();
    const client = await openClient(process_.channel, {
      clientInfo: { name: "test", version: "1" },
      optOut,
      onUpdate: ({ update }) => {
        if (update.sessionUpdate === "state_update" && update.state === "idle") ended.resolve();
      },
      onPermission: choose("allow_once"),
      onLost: () => undefined,
      onBug: (error) => ended.reject(error),
    });
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p1", prompt: say("work") });
    await ended.promise;
    return runs();
  }

  /** Puts a git that records its arguments into `programs`; returns what it has recorded. */
  function noteRuns(): () => string[] {
    const programs = join(live.root, "programs");
    const runs = join(live.root, "runs");
    mkdirSync(programs);
    writeFileSync(join(programs, "git"), `#!/bin/sh\necho "$*" >> '${runs}'\nexec '${git}' "$@"\n`);
    chmodSync(join(programs, "git"), 0o755);
    return () => (existsSync(runs) ? readFileSync(runs, "utf8").trim().split("\n") : []);
  }

  /** The display also reads the branch; the facts at the start of a prompt only count files. */
  const ofDisplay = (runs: string[]) => runs.filter((run) => run.includes("status --porcelain -b"));

  it("asks git for a client that shows it", async () => {
    expect(ofDisplay(await gitRuns([]))).not.toEqual([]);
  });

  it("asks git for nobody when no client wants it", async () => {
    expect(ofDisplay(await gitRuns(["hud"]))).toEqual([]);
  });

  it("shows what others write: edits, new files, folders that are made; and git runs rarely for it", async () => {
    live = await LiveServer.start({ turns: [] });
    mkdirSync(join(live.cwd, "src/deep"), { recursive: true });
    const run = (...args: string[]) => execFileSync(git, args, { cwd: live.cwd });
    const put = (path: string, lines: number) => writeFileSync(join(live.cwd, path), "a\n".repeat(lines));
    run("init", "-q", "-b", "main");
    put("src/deep/a.txt", 1);
    run("add", ".");
    run("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
    const runs = noteRuns();
    let seen: Hud["git"];
    let look = (): void => undefined;
    const client = await openClient(
      live.spawn({ PATH: `${join(live.root, "programs")}:${process.env.PATH}` }).channel,
      {
        clientInfo: { name: "test", version: "1" },
        notices: {
          "hud/update": ({ hud }) => {
            seen = hud.git;
            look();
          },
        },
        onUpdate: () => undefined,
        onLost: () => undefined,
        onBug: (error) => {
          throw error;
        },
      },
    );
    const until = (added: number, changedFiles: number) =>
      new Promise<void>((done) => {
        look = () => seen?.added === added && seen.changedFiles === changedFiles && done();
        look();
      });
    await client.call("session/new", { cwd: live.cwd });
    await until(0, 0);
    put("src/deep/a.txt", 3);
    await until(2, 1);
    const before = ofDisplay(runs()).length;
    for (let lines = 4; lines <= 60; lines += 1) put("src/deep/a.txt", lines);
    await until(59, 1);
    expect(ofDisplay(runs()).length - before).toBeLessThan(5);
    put("new.txt", 5);
    await until(64, 2);
    mkdirSync(join(live.cwd, "made"));
    put("made/b.txt", 1);
    await until(65, 3);
    put("made/b.txt", 2);
    put("ignored.log", 9);
    put(".gitignore", 0);
    writeFileSync(join(live.cwd, ".gitignore"), "*.log\n");
    await until(67, 4);
  });
});

it("is sent to a client that follows a session only once the display was due", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { server, project, close } = await openTestServer({ turns: [] });
  const shown = Promise.withResolvers<Hud>();
  const client = await openLinkedClient(server, "late", {
    clientInfo: { name: "late", version: "1" },
    notices: { "hud/update": ({ hud }) => shown.resolve(hud) },
    onUpdate: () => undefined,
    onLost: () => undefined,
    onBug: (error) => shown.reject(error),
  });
  const { session } = await client.call("session/new", { cwd: project });
  const { sessionId } = session;
  await client.call("session/detach", { sessionId });
  vi.advanceTimersByTime(1_000);
  await client.call("session/resume", { sessionId, replay: { type: "none" } });
  vi.advanceTimersByTime(1_000);
  expect(await shown.promise).toMatchObject({ model: "scripted" });
  vi.useRealTimers();
  await client.close();
  await close();
});

it("follows the folder of a client without a session, until the client opens one", async () => {
  const { server, project, close } = await openTestServer({ turns: [] });
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: project });
  const seen: string[] = [];
  let look = (): void => undefined;
  const client = await openLinkedClient(server, "home", {
    clientInfo: { name: "home", version: "1" },
    notices: {
      "hud/folder": ({ cwd, git }) => {
        seen.push(`${cwd === project} ${git?.branch} ${git?.changedFiles}`);
        look();
      },
    },
    onUpdate: () => undefined,
    onLost: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
  const { promise: told, resolve } = Promise.withResolvers<void>();
  look = () => seen.includes("true main 2") && resolve();
  await client.call("hud/get", { cwd: project, follow: true });
  // The watch begins while the first answer is computed.
  for (let at = 0; at < 2000 && !seen.includes("true main 2"); at += 1) {
    for (const name of ["one.txt", "two.txt"]) writeFileSync(join(project, name), String(at));
    await new Promise((done) => setImmediate(done));
    await client.call("hud/get", { cwd: project, follow: true });
  }
  await told;
  const { session } = await client.call("session/new", { cwd: project });
  await client.call("hud/get", { sessionId: session.sessionId });
  const before = seen.length;
  writeFileSync(join(project, "three.txt"), "3");
  await client.call("hud/get", { sessionId: session.sessionId });
  expect(seen.length).toBe(before);
  await client.close();
  await close();
});

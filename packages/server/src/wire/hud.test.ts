// What the head-up display costs: a real server process, and a git that notes each of its runs.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../../test/live-server.ts";

const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();

describe.skipIf(git === "")("the head-up display", () => {
  let live: LiveServer;
  afterEach(() => live.close());

  /** The arguments of each git that a turn of slow calls started, with a client that takes these updates. */
  async function gitRuns(optOut: string[]): Promise<string[]> {
    const slow = turns.call("bash", { command: "sleep 0.3; echo x >> made.txt" });
    live = await LiveServer.start({ turns: [slow, slow, turns.say("Done.")] });
    mkdirSync(live.cwd);
    execFileSync(git, ["init", "-q"], { cwd: live.cwd });
    const programs = join(live.root, "programs");
    const runs = join(live.root, "runs");
    mkdirSync(programs);
    writeFileSync(join(programs, "git"), `#!/bin/sh\necho "$*" >> '${runs}'\nexec '${git}' "$@"\n`);
    chmodSync(join(programs, "git"), 0o755);
    const process_ = live.spawn({ PATH: `${programs}:${process.env.PATH}` });
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
    return existsSync(runs) ? readFileSync(runs, "utf8").trim().split("\n") : [];
  }

  /** The display also reads the branch; the facts at the start of a prompt only count files. */
  const ofDisplay = (runs: string[]) => runs.filter((run) => run.includes("status --porcelain -b"));

  it("asks git for a client that shows it", async () => {
    expect(ofDisplay(await gitRuns([]))).not.toEqual([]);
  });

  it("asks git for nobody when no client wants it", async () => {
    expect(ofDisplay(await gitRuns(["hud"]))).toEqual([]);
  });
});

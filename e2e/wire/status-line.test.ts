// The user's status line command: a real server process and a real shell.
import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HarnessClient, openClient } from "@harness/client";
import type { Hud } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;
let sessionId = "";
let hud: Hud | undefined;
let look = (): void => undefined;

afterEach(() => live.close());

type Files = { own?: object; project?: object; ephemeral?: boolean; prepare?: (cwd: string) => void };

async function open(files: Files): Promise<void> {
  hud = undefined;
  live = await LiveServer.start({ turns: [turns.say("Done.", { repeat: "always" })] });
  for (const folder of [join(live.cwd, ".harness"), live.home]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(live.home, "settings.json"), JSON.stringify(files.own ?? {}));
  writeFileSync(join(live.cwd, ".harness", "settings.json"), JSON.stringify(files.project ?? {}));
  files.prepare?.(live.cwd);
  client = await openClient(live.spawn({ OPENAI_API_KEY: "sk-not-for-programs" }).channel, {
    clientInfo: { name: "test", version: "1" },
    notices: {
      "hud/update": (update) => {
        hud = update.hud;
        look();
      },
    },
    onUpdate: () => undefined,
    onLost: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
  const { ephemeral = false } = files;
  sessionId = (await client.call("session/new", { cwd: live.cwd, ephemeral })).session.sessionId;
}

const until = (isSo: (shown: Hud) => boolean) =>
  new Promise<void>((done) => {
    look = () => hud && isSo(hud) && done();
    look();
  });
const textOf = ({ statusLine }: Hud) => (statusLine && "text" in statusLine ? statusLine.text : undefined);
const problemOf = ({ statusLine }: Hud) => (statusLine && "problem" in statusLine ? statusLine.problem : undefined);

describe("the command of the status row", () => {
  it("gets the session as JSON, without keys, and its first line is shown with its colours", async () => {
    const command =
      "cat > told && mv told told.json; env > env && mv env env.txt; printf '\\033[31mred\\033[0m line  \\nsecond\\n'";
    await open({ own: { statusline: command } });
    await until((shown) => textOf(shown) === "\u001b[31mred\u001b[0m line");
    expect(JSON.parse(readFileSync(join(live.cwd, "told.json"), "utf8"))).toMatchObject({
      session_id: sessionId,
      transcript_path: join(realpathSync(live.home), "conversations", sessionId, "log.jsonl"),
      cwd: live.cwd,
      workspace: { current_dir: live.cwd },
      version: expect.any(String),
      permission_mode: "default",
      cost: { total_cost_usd: 0 },
    });
    expect(readFileSync(join(live.cwd, "env.txt"), "utf8")).not.toContain("sk-not-for-programs");
  });

  it("is never one that a project names", async () => {
    await open({ project: { statusline: "touch made-by-project; echo x" }, own: { statusline: "echo mine" } });
    await until((shown) => textOf(shown) === "mine");
    expect(existsSync(join(live.cwd, "made-by-project"))).toBe(false);
  });

  it("runs again when something has changed, never two at once", async () => {
    const command =
      "mkdir lock || echo twice >> twice; echo run >> runs; sleep 0.1; rmdir lock; echo $(grep -c run runs)";
    await open({ own: { statusline: command } });
    // The start of a session may have run it several times by now.
    await until((shown) => Number(textOf(shown)) >= 1);
    const runs = Number(hud && textOf(hud));
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("hello") });
    await until((shown) => Number(textOf(shown)) > runs);
    expect(existsSync(join(live.cwd, "twice"))).toBe(false);
  });

  it("says why there is no line when it fails or hangs, and follows the setting at once", async () => {
    await open({ own: { statusline: "echo no jq here >&2; exit 3" } });
    await until((shown) => problemOf(shown) !== undefined);
    expect(hud && problemOf(hud)).toBe("The `statusline` command ended with exit code 3: no jq here");
    const saved = await client.call("settings/get", { cwd: live.cwd });
    expect(saved.settings.find(({ key }) => key === "statusline")?.value).toContain("exit 3");
    writeFileSync(join(live.home, "settings.json"), JSON.stringify({ statusline: "sleep 60 & sleep 60" }));
    await until((shown) => problemOf(shown)?.includes("longer than 3 seconds") === true);
    writeFileSync(join(live.home, "settings.json"), "{}");
    await until((shown) => shown.statusLine === undefined);
  });

  it("gets no transcript if the session leaves nothing behind", async () => {
    await open({ own: { statusline: "cat" }, ephemeral: true });
    await until((shown) => textOf(shown) !== undefined);
    expect(JSON.parse((hud && textOf(hud)) ?? "")).not.toHaveProperty("transcript_path");
  });

  it("ends with its session, and so does what it has started", async () => {
    const statusline = "{ echo begun; exec sleep 600; } > held & wait";
    let held = "";
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((done) => {
      begun = done;
    });
    let ended = Promise.resolve();
    const prepare = (cwd: string): void => {
      execFileSync("mkfifo", [join(cwd, "held")]);
      const reader = createReadStream(join(cwd, "held"), "utf8");
      reader.on("data", (text) => {
        held += text;
        begun();
      });
      // Resolves once no other process holds its other end.
      ended = new Promise((done) => reader.once("end", () => done()));
    };
    await open({ own: { statusline }, prepare });
    await isBegun;
    await client.call("session/close", { sessionId });
    await ended;
    expect(held).toBe("begun\n");
  });

  it.skipIf(spawnSync("/bin/sh", ["-c", "command -v jq"]).status !== 0)("may be the example of the docs", async () => {
    const page = readFileSync(new URL("../../docs/window.md", import.meta.url), "utf8");
    const [, example = ""] = /```json\s+(\{ "statusline".*\})\s+```/.exec(page) ?? [];
    await open({ own: { ...JSON.parse(example), permission_mode: "deny" } });
    await until(({ statusLine }) => statusLine !== undefined);
    expect(hud?.statusLine).toEqual({ text: `${hud?.model} · deny` });
  });
});

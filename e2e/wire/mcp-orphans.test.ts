// An MCP server that outlives a killed harness: a real process of each.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
let pid = 0;
afterEach(async () => {
  if (pid > 0 && exists()) process.kill(-pid, "SIGKILL");
  await live.close();
});

const exists = () => existsSync(`/proc/${pid}`);

it.runIf(process.platform === "linux")(
  "an MCP server that kill -9 left is ended by the next start",
  async () => {
    live = await LiveServer.start({ turns: [turns.say("end")] });
    for (const each of [live.cwd, live.home]) mkdirSync(each);
    const file = join(live.home, "pid");
    // It ignores the end of its input, and requests to end.
    const script = 'trap "" TERM; echo $$ > "$0.new"; mv "$0.new" "$0"; while :; do sleep 777; done';
    const servers = { stays: { command: "sh", args: ["-c", script, file] } };
    writeFileSync(join(live.home, "mcp.json"), JSON.stringify({ mcpServers: servers }));
    writeFileSync(join(live.home, "settings.json"), JSON.stringify({ mcp_start: "session" }));
    const { client, process: harness } = await live.connect();
    await client.call("session/new", { cwd: live.cwd });
    await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
    pid = Number(readFileSync(file, "utf8"));
    process.kill(harness.pid ?? Number.NaN, "SIGKILL");
    await harness.exited;
    expect(exists(), "its harness was killed").toBe(true);
    await live.connect();
    await expect.poll(exists, { timeout: 10_000 }).toBe(false);
  },
  40_000,
);

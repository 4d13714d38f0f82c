// Clients that do not read, over stdio: their responses wait for them on disk, not in memory.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say, serverCommand } from "../support/live-server.ts";

const MAX_RSS_MB = 300;
const REPLY = Array.from({ length: 1_000_000 }, (_, n) => `${n}`.padStart(7, "0").concat(" ")).join("");

let live: LiveServer;
afterEach(() => live.close());

/** A stored session whose last reply has 8 MB. */
async function leaveSession(): Promise<{ sessionId: string; largeSeq: number }> {
  live = await LiveServer.start({ turns: [turns.say(REPLY, { chunk: { size: 200_000 } })] });
  mkdirSync(live.cwd);
  const { client } = await live.connect();
  const { session } = await client.call("session/new", { cwd: live.cwd });
  await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p1", prompt: say("go") });
  await live.idle();
  await client.call("shutdown", {});
  const large = live.updates.find(({ seq, update }) => seq && update.sessionUpdate === "agent_message");
  return { sessionId: session.sessionId, largeSeq: large?.seq ?? 0 };
}

/** A server whose output is not read before `read`. */
class StalledServer {
  readonly #child;
  longMessages = 0;
  longestLine = 0;
  #id = 0;

  constructor() {
    const env = { PATH: process.env.PATH, HOME: live.home, HARNESS_HOME: live.home };
    const [program, ...args] = serverCommand();
    this.#child = spawn(program, args, { cwd: live.root, env, stdio: ["pipe", "pipe", "inherit"] });
  }

  send(method: string, params: object): void {
    this.#id += 1;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params })}\n`);
  }

  /** Resolves when the process has nothing left to do. */
  async rests(): Promise<void> {
    let idle = 0;
    for (let before = -1; idle < 4; await sleep(100)) {
      const [utime = 0, stime = 0] = this.#field("stat").split(") ").at(-1)?.split(" ").slice(11, 13).map(Number) ?? [];
      idle = utime + stime === before ? idle + 1 : 0;
      before = utime + stime;
    }
  }

  get peakMb(): number {
    return Number(/VmHWM:\s+(\d+)/.exec(this.#field("status"))?.[1]) / 1024;
  }

  /** Reads until this many messages have arrived in parts, or the output ends. */
  async readLong(count: number): Promise<void> {
    for await (const line of createInterface({ input: this.#child.stdout })) {
      this.longestLine = Math.max(this.longestLine, Buffer.byteLength(line));
      if (!line.startsWith('{"jsonrpc":"2.0","method":"$/part"')) continue;
      const { params } = JSON.parse(line);
      if (params.index === params.count - 1) this.longMessages += 1;
      if (this.longMessages === count) return;
    }
  }

  async end(): Promise<void> {
    const closed = new Promise((done) => this.#child.once("close", done));
    this.#child.stdin.end();
    await closed;
  }

  #field(name: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${name}`, "utf8");
  }
}

describe.skipIf(!existsSync("/proc/self/status"))("a client that does not read", () => {
  it("holds one large answer of many in memory, and gets all of them when it reads, in lines below the limit", async () => {
    const { sessionId, largeSeq } = await leaveSession();
    const server = new StalledServer();
    server.send("initialize", { protocolVersions: ["1"], clientInfo: { name: "slow", version: "1" } });
    server.send("session/resume", { sessionId, replay: { type: "start" } });
    for (let n = 0; n < 30; n += 1) server.send("session/history", { sessionId, after: largeSeq - 1 });
    await server.rests();
    expect(server.peakMb).toBeLessThan(MAX_RSS_MB);
    await server.readLong(31);
    expect(server.longMessages).toBe(31);

    expect(server.longestLine).toBeLessThan(8 * 1024 * 1024);
    expect(server.peakMb).toBeLessThan(MAX_RSS_MB);
    await server.end();
  });
});

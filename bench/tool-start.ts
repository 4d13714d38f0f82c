import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { clientNotifications, type SessionUpdate, serverMethods } from "@harness/protocol";
import { connect, linkedPair } from "@harness/protocol/wire";
import { composeServer } from "@harness/server";
import { startModelServer } from "@harness/testkit";
import type { Figure } from "./figures.ts";
import { cleanEnv, freshPlace } from "./headless.ts";
import { type WireRow, wireRows } from "./wire-rows.ts";

/** The first ones of each run warm up lazily loaded code. */
const WARM_UP = 10;
const CALLS = 60;

/** Measures the time from the moment when this process has handed out the last byte of an answer to its next child. */
class StartWatch {
  readonly delaysMs: number[] = [];
  #lastByteAtMs: number | undefined;
  readonly #onAnswer = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.method === "POST") this.#lastByteAtMs = performance.now();
  };
  readonly #onChild = () => {
    if (this.#lastByteAtMs !== undefined) this.delaysMs.push(performance.now() - this.#lastByteAtMs);
    this.#lastByteAtMs = undefined;
  };

  start(): void {
    subscribe("http.server.response.finish", this.#onAnswer);
    subscribe("child_process", this.#onChild);
  }

  stop(): number[] {
    unsubscribe("http.server.response.finish", this.#onAnswer);
    unsubscribe("child_process", this.#onChild);
    return this.delaysMs.slice(WARM_UP);
  }
}

function connectTo(server: ReturnType<typeof composeServer>, onUpdate: (update: SessionUpdate) => void) {
  const [near, far] = linkedPair();
  server.accept(far, "bench", { onEnd: () => undefined, onGone: () => undefined });
  return connect({
    channel: near,
    defer: setImmediate,
    serve: {
      table: { "session/update": clientNotifications["session/update"] },
      handlers: { "session/update": (params) => onUpdate(params as SessionUpdate) },
    },
    call: { table: serverMethods },
    trustPeer: true,
    onBug: (error) => {
      throw error;
    },
  });
}

/** All of harness in this process, with a log on disk; the model calls `bash` repeatedly. */
async function harnessDelays(row: WireRow, below?: string): Promise<number[]> {
  const place = freshPlace(below);
  const call = (n: number) => ({ toolCalls: [{ name: "bash", arguments: { command: `echo ${n}` } }] });
  const scenario = { turns: [...Array.from({ length: WARM_UP + CALLS }, (_, n) => call(n)), { text: "Done." }] };
  const model = await startModelServer({ flavour: row.flavour, scenario });
  const env: NodeJS.ProcessEnv = {
    ...cleanEnv(place.home),
    HARNESS_PROVIDER: "bench",
    HARNESS_MODEL: "scripted-model",
    BENCH_KEY: "none",
  };
  const home = String(env.HARNESS_HOME);
  const folder = join(home, "providers");
  mkdirSync(folder, { recursive: true });
  // Large enough that nothing is compacted on the way.
  writeFileSync(join(home, "settings.json"), '{"context_limit": 128000}');
  writeFileSync(
    join(folder, "bench.conf"),
    `protocol=${row.protocol}\nurl=${model.url}${row.base}\nauth_env=BENCH_KEY\n`,
  );
  const server = composeServer({ version: "bench", cwd: place.cwd, env });
  const ended = Promise.withResolvers<string>();
  const client = connectTo(server, ({ update }) => {
    if (update.sessionUpdate !== "state_update" || update.state !== "idle") return;
    ended.resolve(update.error?.message ?? "");
  });
  const watch = new StartWatch();
  try {
    const clientInfo = { name: "bench", version: "0" };
    await client.call("initialize", { protocolVersions: ["1"], clientInfo, capabilities: {} });
    const config = { permissionMode: "allow-all" as const };
    const { session } = await client.call("session/new", { cwd: place.cwd, config });
    watch.start();
    const prompt = [{ type: "text" as const, text: "go" }];
    await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p", prompt });
    const problem = await ended.promise;
    const delays = watch.stop();
    if (problem !== "" || delays.length !== CALLS) throw new Error(`${row.name}: ${delays.length} calls. ${problem}`);
    return delays;
  } finally {
    watch.stop();
    client.destroy();
    await server.shutdown();
    await model.close();
    place.remove();
  }
}

/** The minimum: reads an answer of the same size to its end, writes it to disk, starts a child. */
async function bareDelays(below?: string): Promise<number[]> {
  const body = JSON.stringify({ command: "true", filling: "x".repeat(1_500) });
  const server = createServer((_request, response) => {
    response.write(body.slice(0, 700));
    response.end(body.slice(700));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const place = freshPlace(below);
  const log = openSync(join(place.cwd, "log"), "a");
  const watch = new StartWatch();
  watch.start();
  for (let n = 0; n < WARM_UP + CALLS; n += 1) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const asked = request({ port, host: "127.0.0.1", method: "POST" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => {
        const { command } = JSON.parse(text);
        writeSync(log, `${text}\n`);
        fdatasyncSync(log);
        spawn("/bin/sh", ["-c", command]).on("exit", () => resolve());
      });
    });
    asked.on("error", reject).end();
    await promise;
  }
  closeSync(log);
  server.close();
  place.remove();
  return watch.stop();
}

const MEMORY = "/dev/shm";

/** From the last byte of a tool call to the start of its command, including everything in between. */
export async function toolStartFigures(times: number): Promise<Figure[]> {
  const [first] = wireRows;
  // A fresh process compiles more than it works.
  if (first) await harnessDelays(first);
  const measured = async (name: string, row: WireRow, below?: string): Promise<Figure> => {
    const runs: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < times; n += 1) {
      // Alternating, because the disk is not equally busy at all times.
      bare.push(...(await bareDelays(below)));
      runs.push(...(await harnessDelays(row, below)));
    }
    const yardstick = { name: "bare client", runs: bare };
    return { name: `last byte to tool's start: ${name}`, unit: "ms", runs, target: 2, yardstick };
  };
  const figures: Figure[] = [];
  for (const row of wireRows) figures.push(await measured(row.name, row));
  // The log is on disk before a tool runs; how long that takes depends on the disk.
  if (first && existsSync(MEMORY)) figures.push(await measured(`${first.name}, log in memory`, first, MEMORY));
  return figures;
}

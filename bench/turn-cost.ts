// The cost of a turn late in a session, compared with an early one: CPU of the process, without sending the longer
// request.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelMessage } from "@harness/core";
import { vendors } from "@harness/providers";
import { type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { createProvider } from "../packages/providers/test/create-provider.ts";
import { nodeClock } from "../packages/workspace/src/system/node-clock.ts";
import { type Figure, median } from "./figures.ts";
import { cleanEnv, freshPlace, harnessCommand } from "./headless.ts";

/** This many turns from each of these on are compared by their medians: one turn is a few milliseconds. */
const SPAN = 20;
const EARLY = 5;
const WARM = 100;
const LATE = 500;
const TOOL_TURNS = LATE + SPAN;
const REQUESTS = 40;

const scenario: ScenarioInput = {
  turns: [
    ...Array.from({ length: TOOL_TURNS }, (_, n) => turns.call("bash", { command: `echo ${n}` })),
    turns.say("ok"),
  ],
};

/** Time on a processor of all threads so far, in ms (proc(5), schedstat). */
function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const each = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return each.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

/** CPU between the arrivals of consecutive requests. */
async function turnCosts(): Promise<number[]> {
  const place = freshPlace();
  const folder = join(place.home, "harness");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const settings = JSON.stringify({ max_turns: 2 * TOOL_TURNS, context_limit: 1_000_000 });
  writeFileSync(join(folder, "settings.json"), settings, { mode: 0o600 });
  const server = await startModelServer({ scenario, forgetful: true });
  const args = ["run", "--quiet", "--permission-mode", "allow-all", "--model", "scripted", "do it"];
  const env = cleanEnv(place.home, server);
  const child = spawn(harnessCommand, args, { cwd: place.cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(child, "exit");
  const failed = gone.then(([code]) => Promise.reject(new Error(`harness run ended early, with ${code}`)));
  const at: number[] = [];
  for (let n = 0; n < TOOL_TURNS; n += 1) {
    await Promise.race([server.nextRequest(({ chat }) => chat), failed]);
    at.push(cpuMsOf(child.pid ?? 0));
  }
  await gone;
  failed.catch(() => undefined);
  await server.close();
  place.remove();
  return at.slice(1).map((cpu, n) => cpu - (at[n] ?? 0));
}

/** The conversation at a given turn. */
function conversation(turn: number): ModelMessage[] {
  const steps = Array.from({ length: turn }, (_, n): ModelMessage[] => {
    const call = { type: "tool_call" as const, toolCallId: `call_${n}`, name: "bash", input: { command: `echo ${n}` } };
    return [
      { role: "assistant", parts: [call] },
      { role: "tool", toolCallId: `call_${n}`, name: "bash", text: `${n}\n`, isError: false },
    ];
  });
  return [{ role: "user", content: [{ type: "text", text: "do it" }] }, ...steps.flat()];
}

/** CPU of sending such a request and reading its answer, in this process, with the server's share subtracted. */
async function requestCosts(): Promise<Map<number, number>> {
  const vendor = vendors.find(({ id }) => id === "openai");
  if (!vendor) throw new Error("openai");
  const port = { key: "none", random: Math.random, clock: nodeClock };
  const costs = new Map<number, number[]>();
  // A server that reads nothing, so that this process pays only for sending.
  await using sink = await Sink.open();
  const provider = createProvider(vendor, { baseUrl: sink.url, ...port });
  for (let n = 0; n < 2 * REQUESTS; n += 1) {
    for (const turn of [EARLY, WARM, LATE]) {
      const messages = conversation(turn);
      const before = process.cpuUsage();
      const request = { model: "scripted", system: "", messages, tools: [], priority: "turn" as const };
      for await (const event of provider.stream(request, new AbortController().signal))
        if (event.type === "failed") throw new Error(event.failure.message);
      const { user, system } = process.cpuUsage(before);
      if (n >= REQUESTS) costs.set(turn, [...(costs.get(turn) ?? []), (user + system) / 1000]);
    }
  }
  return new Map([...costs].map(([turn, runs]) => [turn, median(runs)]));
}

/** The model's answer as bytes, from its own process. */
class Sink implements AsyncDisposable {
  readonly url: string;
  readonly #child: ReturnType<typeof spawn>;

  private constructor(url: string, child: ReturnType<typeof spawn>) {
    this.url = url;
    this.#child = child;
  }

  static async open(): Promise<Sink> {
    const answer =
      'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const program = `require("node:http").createServer((q, r) => q.resume().on("end", () =>
      r.writeHead(200, {"content-type": "text/event-stream"}).end(${JSON.stringify(answer)})))
      .listen(0, "127.0.0.1", function () { console.log(this.address().port); })`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = await once(child.stdout, "data");
    return new Sink(`http://127.0.0.1:${String(port).trim()}/v1`, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill();
    await gone;
  }
}

/** Turn 500 compared with turn 5, and with one for which the code is already warm. */
export async function turnCostFigures(times: number): Promise<Figure[]> {
  const requests = await requestCosts();
  const runs: number[][] = [];
  for (let n = 0; n < Math.min(times, 3); n += 1) runs.push(await turnCosts());
  const costAt = (turn: number) => runs.map((costs) => median(costs.slice(turn, turn + SPAN)));
  const withoutRequest = (turn: number) => costAt(turn).map((cost) => cost - (requests.get(turn) ?? 0));
  const [early, warm, late] = [withoutRequest(EARLY), withoutRequest(WARM), withoutRequest(LATE)];
  const times500 = (earlier: number[]) => late.map((cost, n) => cost / (earlier[n] ?? Number.NaN));
  return [
    ...[EARLY, WARM, LATE].flatMap((turn): Figure[] => [
      { name: `turn ${turn}: CPU`, unit: "ms", runs: costAt(turn) },
      { name: "– of it the request itself", unit: "ms", runs: [requests.get(turn) ?? Number.NaN] },
    ]),
    { name: `turn ${LATE} beside turn ${EARLY}, without the requests`, unit: "×", runs: times500(early), target: 1.1 },
    { name: `turn ${LATE} beside turn ${WARM}, without the requests`, unit: "×", runs: times500(warm), target: 1.1 },
  ];
}

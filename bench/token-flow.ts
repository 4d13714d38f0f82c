import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { vendors } from "@harness/providers";
import { createProvider } from "../packages/providers/test/create-provider.ts";
import { type Figure, median } from "./figures.ts";
import { freshPlace } from "./headless.ts";
import { type WireRow, wireRows } from "./wire-rows.ts";

type Provider = ReturnType<typeof createProvider>;

const RATE = 20_000;
const SECONDS = 3;
const TOKEN = "word ";

/** A model server in its own process, so that this process has a core just for reading. */
class PacedModel {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** `rate` 0: as fast as it can. */
  static async start(row: WireRow, tokens: number, rate: number): Promise<PacedModel> {
    const place = freshPlace();
    const file = join(place.cwd, "flow.json");
    const turn = { generate: { tokens, rate, text: TOKEN }, repeat: "always" };
    writeFileSync(file, JSON.stringify({ name: "flow", turns: [turn] }));
    const program = resolve(import.meta.dirname, "../packages/testkit/src/model-server/start.ts");
    const child = spawn(process.execPath, [program, file, "--flavour", row.flavour], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        const url = /at (http:\S+),/.exec(line)?.[1];
        if (url !== undefined) return new PacedModel(url, child);
      }
      throw new Error("The model server did not start.");
    } finally {
      place.remove();
    }
  }

  /** Ends with its user, even if that fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill();
    await gone;
  }
}

function providerFor({ flavour, protocol, base }: WireRow, url: string): Provider {
  const vendor = vendors.find(({ id }) => id === flavour);
  if (!vendor) throw new Error(flavour);
  const { apiElsewhere: _, ...usual } = vendor;
  return createProvider(protocol === "responses" ? usual : vendor, {
    baseUrl: url + base,
    key: "none",
    random: Math.random,
    clock: {
      now: () => Date.now(),
      monotonicMs: () => performance.now(),
      sleep: (ms, signal) => {
        const { promise, resolve: wake } = Promise.withResolvers<void>();
        const timer = setTimeout(wake, ms);
        signal?.addEventListener("abort", () => {
          clearTimeout(timer);
          wake();
        });
        return promise;
      },
    },
  });
}

type Flow = { lagsMs: number[]; wallMs: number; cpuMs: number };

/** Reads one reply to its end; `lagsMs`: how far behind the server's pace each piece of it was read. */
async function read(provider: Provider, tokens: number, rate: number): Promise<Flow> {
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "go" }] }];
  const asked = { model: "scripted-model", system: "", messages, tools: [], priority: "turn" as const };
  const cpuBefore = process.cpuUsage();
  const lagsMs: number[] = [];
  const askedAtMs = performance.now();
  let firstAtMs: number | undefined;
  let read = 0;
  for await (const event of provider.stream(asked, new AbortController().signal)) {
    if (event.type === "failed") throw new Error(event.failure.message);
    if (event.type !== "text") continue;
    const now = performance.now();
    // At the server's pace, this many tokens are due by now; the first ones came at once.
    firstAtMs ??= now;
    read += event.text.length / TOKEN.length;
    if (rate > 0) lagsMs.push(now - firstAtMs - (read / rate) * 1000);
  }
  const wallMs = performance.now() - askedAtMs;
  if (read !== tokens) throw new Error(`${read} of ${tokens} tokens came.`);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { lagsMs, wallMs, cpuMs: (user + system) / 1000 };
}

/** The bytes of the same reply, read and thrown away. */
async function discard(row: WireRow, url: string): Promise<number> {
  const headers = { "content-type": "application/json", "x-api-key": "none", "anthropic-version": "2023-06-01" };
  const startedMs = performance.now();
  const asked = request(url + row.base + row.path, { method: "POST", headers });
  asked.end(JSON.stringify(row.body));
  const [response] = await once(asked, "response");
  if (response.statusCode !== 200) throw new Error(`${row.name}: status ${response.statusCode}`);
  response.resume();
  await once(response, "end");
  return performance.now() - startedMs;
}

/** How much later the end is read than the beginning, in tokens that wait meanwhile. */
function growth({ lagsMs }: Flow): number {
  const tenth = Math.max(1, Math.floor(lagsMs.length / 10));
  const lateMs = median(lagsMs.slice(-tenth)) - median(lagsMs.slice(0, tenth));
  return (Math.max(0, lateMs) / 1000) * RATE;
}

async function pacedFigures(row: WireRow, times: number): Promise<Figure[]> {
  const tokens = RATE * SECONDS;
  await using model = await PacedModel.start(row, tokens, RATE);
  const provider = providerFor(row, model.url);
  const flows: Flow[] = [];
  for (let n = 0; n < times; n += 1) flows.push(await read(provider, tokens, RATE));
  const cpu = flows.map(({ cpuMs, wallMs }) => (cpuMs / wallMs) * 100);
  return [
    {
      name: `20,000 tokens/s, ${row.name}: queue after ${SECONDS} s`,
      unit: "tokens",
      runs: flows.map(growth),
      target: RATE / 50,
    },
    { name: `20,000 tokens/s, ${row.name}: CPU of one core`, unit: "%", runs: cpu, target: 100 },
  ];
}

async function fastest(row: WireRow, times: number): Promise<Figure> {
  const tokens = 200_000;
  await using model = await PacedModel.start(row, tokens, 0);
  const provider = providerFor(row, model.url);
  const perSecond = (ms: number) => tokens / ms;
  const runs: number[] = [];
  const bare: number[] = [];
  await read(provider, tokens, 0);
  for (let n = 0; n < times; n += 1) {
    runs.push(perSecond((await read(provider, tokens, 0)).wallMs));
    bare.push(perSecond(await discard(row, model.url)));
  }
  const yardstick = { name: "reading nothing", runs: bare };
  return { name: `fastest, ${row.name}`, unit: "k tokens/s", runs, atLeast: RATE / 1000, yardstick };
}

/** Checks that reading keeps up with a server of 20,000 tokens a second, one event per token. */
export async function tokenFlowFigures(times: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const row of wireRows) figures.push(...(await pacedFigures(row, times)), await fastest(row, times));
  return figures;
}

import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ModelServer, type RequestRecord, type ScenarioInput, startModelServer } from "@harness/testkit";
import { processesOfHome } from "../process-tree.ts";
import type { Contender, Place } from "./contenders.ts";
import { rivalsFolder } from "./install.ts";

export type HeadlessRun = {
  wallMs: number;
  /** Of all processes that were waited for. */
  cpuMs: number;
  /** Requests to the model in this run. */
  requests: readonly RequestRecord[];
};

/** A start that does not end is a defect of the contender, not a figure. */
const LIMIT_MS = 15 * 60_000;
const MS_PER_TICK = 10;

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** User and system time of the children that this process has waited for, and of theirs. */
function childrenCpuMs(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** A contender with its own home, workspace and scripted server, which it keeps from run to run. */
export class Participant {
  readonly contender: Contender;
  readonly server: ModelServer;
  readonly place: Place;
  readonly env: NodeJS.ProcessEnv;
  /** Why it fell out of measurements. */
  readonly problems: string[] = [];
  readonly #command: readonly [string, ...string[]];

  private constructor(contender: Contender, program: string, server: ModelServer, place: Place) {
    this.contender = contender;
    this.server = server;
    this.place = place;
    this.#command = contender.command(program);
    const { PATH, LANG } = process.env;
    // A rival reaches only the scripted server: everything else it would send finds a closed port.
    const nobody = { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
    this.env = {
      PATH,
      LANG: LANG ?? "C.UTF-8",
      HOME: place.home,
      ...(contender.rival ? nobody : {}),
      ...contender.configure(place),
    };
  }

  static async enter(contender: Contender, program: string): Promise<Participant> {
    const server = await startModelServer({ scenario: { turns: [] }, flavour: contender.flavour, forgetful: true });
    // Not below the folder for temporary files, where codex creates no helpers for itself.
    await mkdir(rivalsFolder, { recursive: true });
    const home = await mkdtemp(join(rivalsFolder, "home-"));
    const cwd = await mkdtemp(join(tmpdir(), "rival-"));
    return new Participant(contender, program, server, { home, cwd, serverUrl: server.url });
  }

  /** The command line with these arguments. */
  commandLine(args: readonly string[]): [string, ...string[]] {
    const [program, ...first] = this.#command;
    return [program, ...first, ...args];
  }

  /** Runs it without a terminal to its end, with this script for the model. */
  async run(args: readonly string[], scenario: ScenarioInput): Promise<HeadlessRun> {
    this.server.setScenario(scenario);
    const before = this.server.requests.length;
    const cpuBefore = childrenCpuMs();
    const { wallMs, problem: failure } = await this.#start(this.commandLine(args));
    const cpuMs = childrenCpuMs() - cpuBefore;
    const requests = this.server.requests.slice(before).filter(({ chat }) => chat);
    const problem = requests.find((request) => request.problem !== undefined)?.problem ?? failure;
    if (problem !== undefined) throw new Error(problem);
    return { wallMs, cpuMs, requests };
  }

  /** The minimum time to start a Node program here and now. */
  async timeOfEmptyNode(): Promise<number> {
    const { wallMs } = await this.#start([process.execPath, "-e", "0"]);
    return wallMs;
  }

  async #start([program, ...rest]: [string, ...string[]]): Promise<{ wallMs: number; problem: string | undefined }> {
    const startedAt = performance.now();
    const child = spawn(program, rest, {
      cwd: this.place.cwd,
      env: this.env,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: LIMIT_MS,
    });
    let said = "";
    child.stderr.on("data", (data: Buffer) => {
      said = (said + data.toString()).slice(-2_000);
    });
    const code = await new Promise((done, fail) => child.once("exit", done).once("error", fail));
    const wallMs = performance.now() - startedAt;
    return { wallMs, problem: code === 0 ? undefined : `exit code ${code}: ${said.trim()}` };
  }

  /** Ends what it has left running, such as its own server that outlives its window. */
  async endProcesses(): Promise<void> {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      for (let waits = 0; waits < 50; waits += 1) {
        const left = processesOfHome(this.place.home);
        if (left.length === 0) return;
        if (waits === 0) for (const pid of left) end(pid, signal);
        await sleep(100);
      }
    }
  }

  async leave(): Promise<void> {
    await this.endProcesses();
    await this.server.close();
    // Retried because its last process may still be writing.
    for (const folder of [this.place.home, this.place.cwd])
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

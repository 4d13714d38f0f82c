import type { Clock } from "@harness/core";
import type { Environment } from "@harness/host";
import { QdrantConnection } from "../store/qdrant/qdrant-connection.ts";
import { ContainerProgram, runFailure } from "./container-engine.ts";

export type ServiceAction = "start" | "stop" | "status";

export type ServiceOptions = {
  env: Environment;
  clock: Clock;
  signal: AbortSignal;
  /** Nothing may be downloaded. */
  localOnly: boolean;
  /** Says what takes a while, before it is done. */
  note(text: string): void;
};

/** `text`: sentences for people. */
export type ServiceOutcome = { ok: boolean; text: string };

/** With the registry: podman does not know a default one. The same as in docs/search.md. */
export const QDRANT_IMAGE = "docker.io/qdrant/qdrant:v1.19.0";
const NAME = "harness-qdrant";
const ADDRESS = "http://127.0.0.1:6333";

const QUICK_MS = 30_000;
const DOWNLOAD_MS = 15 * 60_000;
const STOP_MS = 60_000;
const READY_ATTEMPTS = 60;
const READY_WAIT_MS = 500;

const NO_ENGINE = [
  "Qdrant runs in a container, and neither docker nor podman is installed here.",
  "Install one of them (https://docs.docker.com/engine/install/, or `sudo apt install podman`) and try again;",
  "or set `index_store` to the address of a Qdrant or PostgreSQL that runs elsewhere. The default, `embedded`, needs nothing.",
].join("\n");

/** Starts and stops a Qdrant of one's own, for this machine alone. */
export function runQdrantService(action: ServiceAction, options: ServiceOptions): Promise<ServiceOutcome> {
  const engine = ContainerProgram.find(options.env);
  if (!engine) return Promise.resolve({ ok: action === "status", text: NO_ENGINE });
  return new QdrantService(engine, options)[action]();
}

class QdrantService {
  readonly #engine: ContainerProgram;
  readonly #options: ServiceOptions;

  constructor(engine: ContainerProgram, options: ServiceOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  async status(): Promise<ServiceOutcome> {
    const state = await this.#state();
    if ("problem" in state) return { ok: false, text: state.problem };
    if (state.is === undefined) return { ok: true, text: "Qdrant: not there. Start one with: harness services start" };
    if (state.is !== "running") return { ok: true, text: `Qdrant: ${state.is}. Start it with: harness services start` };
    const isReady = await this.#isReady();
    const ready = isReady ? "running" : "running, but it does not answer yet";
    return { ok: isReady, text: `Qdrant: ${ready}, ${ADDRESS} (container ${NAME}, ${this.#engine.name}).` };
  }

  async start(): Promise<ServiceOutcome> {
    const state = await this.#state();
    if ("problem" in state) return { ok: false, text: state.problem };
    const problem = state.is === undefined ? await this.#create() : await this.#resume(state.is);
    if (problem !== undefined) return { ok: false, text: problem };
    for (let attempt = 0; attempt < READY_ATTEMPTS && !this.#options.signal.aborted; attempt += 1) {
      if (await this.#isReady()) return { ok: true, text: STARTED };
      await this.#options.clock.sleep(READY_WAIT_MS, this.#options.signal);
    }
    const look = `Look at its log: ${this.#engine.name} logs ${NAME}`;
    return { ok: false, text: `Qdrant was started, but does not answer at ${ADDRESS}. ${look}` };
  }

  async stop(): Promise<ServiceOutcome> {
    const state = await this.#state();
    if ("problem" in state) return { ok: false, text: state.problem };
    if (state.is !== "running") return { ok: true, text: "Qdrant is not running." };
    const ended = await this.#run(["stop", NAME], STOP_MS);
    if (ended.code !== 0) return { ok: false, text: `Qdrant could not be stopped: ${runFailure(ended)}.` };
    const { name } = this.#engine;
    const advice = `To delete them: ${name} rm ${NAME} && ${name} volume rm ${NAME}`;
    return { ok: true, text: `Qdrant is stopped. Its indexes are kept in the volume ${NAME}. ${advice}` };
  }

  /** Of the container; undefined: there is none. */
  async #state(): Promise<{ is: string | undefined } | { problem: string }> {
    const listed = await this.#run(["ps", "--all", "--filter", `name=^${NAME}$`, "--format", "{{.State}}"], QUICK_MS);
    if (listed.code === 0) return { is: listed.stdout.trim().split("\n")[0] || undefined };
    const { name } = this.#engine;
    const start = name === "docker" ? "Start Docker, and see that you may use it (`docker ps`)." : "Try `podman ps`.";
    return { problem: `${name} is installed but does not work: ${runFailure(listed)}. ${start}` };
  }

  /** Returns a problem as a sentence. */
  async #create(): Promise<string | undefined> {
    const { localOnly, note, env } = this.#options;
    const known = await this.#run(["image", "inspect", QDRANT_IMAGE], QUICK_MS);
    if (known.code !== 0) {
      const how = `${this.#engine.name} pull ${QDRANT_IMAGE}`;
      if (localOnly) return `The image of Qdrant is not here, and local-only mode forbids to download it: ${how}`;
      note(`Downloading ${QDRANT_IMAGE}: about 200 MB.`);
      const pulled = await this.#run(["pull", QDRANT_IMAGE], DOWNLOAD_MS);
      if (pulled.code !== 0) return `The image of Qdrant could not be downloaded: ${runFailure(pulled)}.`;
    }
    const key = env.QDRANT_API_KEY;
    const ended = await this.#engine.run({
      args: [...CREATE, ...(key ? ["--env", "QDRANT__SERVICE__API_KEY"] : []), QDRANT_IMAGE],
      timeoutMs: STOP_MS,
      signal: this.#options.signal,
      variables: key ? { QDRANT__SERVICE__API_KEY: key } : {},
    });
    return ended.code === 0 ? undefined : `Qdrant could not be started: ${runFailure(ended)}.`;
  }

  async #resume(state: string): Promise<string | undefined> {
    if (state === "running") return undefined;
    const ended = await this.#run([state === "paused" ? "unpause" : "start", NAME], QUICK_MS);
    return ended.code === 0 ? undefined : `Qdrant could not be started: ${runFailure(ended)}.`;
  }

  async #isReady(): Promise<boolean> {
    const connection = new QdrantConnection({
      base: ADDRESS,
      apiKey: this.#options.env.QDRANT_API_KEY || undefined,
      clock: { ...this.#options.clock, sleep: async () => undefined },
    });
    try {
      await connection.ask("GET", "/collections");
      return true;
    } catch {
      return false;
    } finally {
      connection.close();
    }
  }

  #run(args: readonly string[], timeoutMs: number) {
    return this.#engine.run({ args, timeoutMs, signal: this.#options.signal });
  }
}

/**
 * Only this machine reaches it, and no page in its browser: Qdrant allows every site by default. It reports nothing to
 * its makers.
 */
const CREATE: readonly string[] = [
  ...["run", "--detach", "--name", NAME, "--restart", "unless-stopped"],
  ...["--publish", "127.0.0.1:6333:6333", "--volume", `${NAME}:/qdrant/storage`],
  ...["--env", "QDRANT__SERVICE__ENABLE_CORS=false", "--env", "QDRANT__TELEMETRY_DISABLED=true"],
];

const STARTED = [
  `Qdrant is running: ${ADDRESS}, reachable from this machine only.`,
  `To keep indexes there, set \`index_store\` to ${ADDRESS} (Settings), and run \`harness index\`.`,
].join("\n");

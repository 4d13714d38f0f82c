import { setTimeout as sleep } from "node:timers/promises";
import { bulkPart, bulkWords, type ScenarioInput, type TurnInput } from "@harness/testkit";
import { median } from "../figures.ts";
import { processesOfHome, readProcesses } from "../process-tree.ts";
import { BenchWindow, echoMs } from "../window.ts";
import type { Participant } from "./participant.ts";
import { inTurn, type Measured } from "./rounds.ts";

/** By then its start has loaded everything, and has returned unused memory. */
const SETTLED_MS = 4_000;
const LIMIT_MS = 180_000;
const BULK = 20_000;
const LAST_WORD = "finish";
const KEYS = 20;

/** Requests for the turn itself get this answer; side requests of a window, such as for a title, a short one. */
function answering({ contender }: Participant, turn: TurnInput): ScenarioInput {
  const { name } = contender.shell("");
  return {
    turns: [
      { ...turn, when: { hasTool: name } },
      { text: "Done.", repeat: "always" },
    ],
  };
}

class RivalWindow {
  readonly #window: BenchWindow;
  readonly #participant: Participant;

  private constructor(participant: Participant) {
    const { contender, place, env } = participant;
    this.#participant = participant;
    this.#window = new BenchWindow(participant.commandLine(contender.window), place.cwd, env);
  }

  static async with<T>(
    participant: Participant,
    turn: TurnInput,
    use: (window: RivalWindow) => Promise<T>,
  ): Promise<T> {
    participant.server.setScenario(answering(participant, turn));
    const window = new RivalWindow(participant);
    try {
      return await use(window);
    } finally {
      await window.#window.end();
      await participant.endProcesses();
    }
  }

  /** When the screen matches, in ms since `from`, by default since the start. */
  until(what: string, fits: (screen: string) => boolean, from?: number): Promise<number> {
    return this.#within(what, this.#window.until(fits, from));
  }

  async #within<T>(what: string, coming: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const screen = this.#window.screen.lines().filter((line) => /\S/.test(line));
      late.reject(new Error(`${what} did not come; the screen was:\n${screen.join("\n")}`));
    }, LIMIT_MS);
    try {
      return await Promise.race([coming, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The first frame with the input box; to check that it accepts keys, one is typed then and has to stay. */
  async boxMs(): Promise<number> {
    const { box } = this.#participant.contender;
    const drawnMs = await this.until("the input box", (screen) => box.test(screen));
    this.#window.pty.write("q");
    await this.until("a key that was typed into the box's first frame", isTyped("q"));
    return drawnMs;
  }

  async eraseKey(): Promise<void> {
    this.#window.pty.write("\x7f");
    await this.until("the box, empty again", (screen) => !isTyped("q")(screen));
  }

  figures() {
    return readProcesses(processesOfHome(this.#participant.place.home));
  }

  echo(): Promise<number[]> {
    return this.#within("the echo of a key", echoMs(this.#window, KEYS));
  }

  /** Sends a prompt; returns the time at which it was sent. */
  async send(prompt: string): Promise<number> {
    this.#window.pty.write(prompt);
    await this.until("the prompt in the box", isTyped(prompt));
    const sentAt = performance.now();
    this.#window.pty.write("\r");
    return sentAt;
  }
}

/** On a line of its own, after whatever marks the input box. */
const isTyped = (text: string) => (screen: string) =>
  screen.split("\n").some((line) => line.replace(/^[\s│>›❯]+|[\s│]+$/g, "") === text);

async function startAndIdle(participant: Participant) {
  return RivalWindow.with(participant, { text: "Done." }, async (window) => {
    const inputBox = await window.boxMs();
    await window.eraseKey();
    await sleep(SETTLED_MS);
    const { rssBytes, pssBytes } = window.figures();
    const echoIdle = median(await window.echo());
    return { inputBox, idleRss: rssBytes / 1e6, idlePss: pssBytes / 1e6, echoIdle };
  });
}

async function streaming(participant: Participant) {
  const turn = { generate: { tokens: 2_000, rate: 200 } };
  return RivalWindow.with(participant, turn, async (window) => {
    await window.boxMs();
    await window.eraseKey();
    await sleep(SETTLED_MS);
    await window.send("go");
    await window.until("the reply", (screen) => bulkPart.test(screen));
    const before = { cpuMs: window.figures().cpuMs, at: performance.now() };
    await sleep(4_000);
    const streamCpu = ((window.figures().cpuMs - before.cpuMs) / (performance.now() - before.at)) * 100;
    return { streamCpu, echoStream: median(await window.echo()) };
  });
}

async function burst(participant: Participant) {
  const text = [...Array.from({ length: BULK - 1 }, (_, at) => bulkWords[at % bulkWords.length] ?? ""), LAST_WORD];
  return RivalWindow.with(participant, { generate: { tokens: BULK, text } }, async (window) => {
    await window.boxMs();
    await window.eraseKey();
    await sleep(SETTLED_MS);
    const sentAt = await window.send("go");
    return { burst: await window.until("the reply's end", (screen) => screen.includes(LAST_WORD), sentAt) };
  });
}

/** Delays that the user sees and waits for. */
export async function windowRows(
  participants: readonly Participant[],
  counted: number,
): Promise<Record<string, Measured>> {
  const rows: Record<string, Measured> = {};
  for (const measure of [startAndIdle, streaming, burst])
    Object.assign(rows, await inTurn(participants, { counted, warmUps: 1 }, measure));
  return rows;
}

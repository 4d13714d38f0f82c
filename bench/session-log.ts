// A session's log: how fast facts become durable, how soon a stored session is on the screen, and the memory of a long one.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openClient, spawnServer } from "@harness/client";
import { ROOT_AGENT } from "@harness/protocol";
import { openStore } from "../packages/storage/src/sessions/session-store.ts";
import type { Figure } from "./figures.ts";
import { cleanEnv, freshPlace, harnessCommand } from "./headless.ts";
import { watchPeak } from "./process-tree.ts";
import { leaveSession, SESSIONS_START } from "./stored-sessions.ts";
import { BenchWindow } from "./window.ts";

const SESSION = "20260101-100000-aaaa";
const APPENDED = 500;
/** A message, an answer with a call, and its result. */
const MESSAGES_A_TURN = 3;
const SIZES = [10, 2_000, 50_000];
const MEMORY_MB = 250;
const SAMPLE_MS = 10;

type Place = ReturnType<typeof freshPlace> & { root: string };

function withPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const place = freshPlace();
  const root = join(place.home, "harness", "conversations");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return use({ ...place, root }).finally(place.remove);
}

/** Each fact is on the disk before the next one is appended. */
async function appended(times: number): Promise<Figure> {
  const runs = await withPlace(async ({ cwd, root }) => {
    const store = openStore(root, { clock: { now: () => SESSIONS_START } });
    return Array.from({ length: times }, () => {
      const header = { sessionId: store.newSessionId(), cwd, createdAt: new Date(SESSIONS_START).toISOString() };
      const log = store.create({ ...header, version: 1 });
      const began = performance.now();
      for (let n = 0; n < APPENDED; n += 1)
        log.append({
          ...{ agentId: ROOT_AGENT, at: header.createdAt },
          update: {
            ...{ sessionUpdate: "user_message", messageId: `m${n}`, origin: "user" },
            content: [{ type: "text", text: "A message of a usual length, as people write them." }],
          },
        });
      const seconds = (performance.now() - began) / 1_000;
      log.close();
      return APPENDED / seconds;
    });
  });
  return { name: "append: facts that are on the disk", unit: "facts/s", runs };
}

/** From the start of the window to the end of the conversation on the screen, and until all of it is there. */
async function resumed(messages: number, times: number): Promise<Figure[]> {
  const turns = Math.ceil(messages / MESSAGES_A_TURN);
  return await withPlace(async ({ cwd, home, root }) => {
    const bytes = leaveSession(root, { sessionId: SESSION, cwd, resultWords: 100, turns });
    const shown: number[] = [];
    const open: number[] = [];
    const peaks: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const window = new BenchWindow([harnessCommand, "-r", SESSION], cwd, cleanEnv(home));
      const peak = watchPeak(window.pty.pid, SAMPLE_MS);
      try {
        const hasEnd = (screen: string): boolean => screen.includes(`turn${turns - 1}`);
        shown.push(await window.until(hasEnd));
        open.push(await window.until((screen) => hasEnd(screen) && !screen.includes("Loading the earlier messages")));
        peaks.push(peak() / 1e6);
      } finally {
        await window.end();
      }
    }
    const size = bytes > 1e6 ? `, ${Math.round(bytes / 1e6)} MB` : "";
    return [
      { name: `resume of ${messages} messages${size}: its end on the screen`, unit: "ms", runs: shown },
      { name: "– all of it there", unit: "ms", runs: open },
      { name: "– memory until then, with server", unit: "MB", runs: peaks },
    ];
  });
}

/** The highest memory of a command, in MB. */
async function peakOf(args: string[], { cwd, home }: Place): Promise<number> {
  const child = spawn(harnessCommand, args, { cwd, env: cleanEnv(home), stdio: ["ignore", "ignore", "inherit"] });
  const peak = watchPeak(child.pid ?? 0, SAMPLE_MS);
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new Error(`harness ${args.join(" ")} ended with ${code}`);
  return peak() / 1e6;
}

/** The highest memory of a server that opens the session, in MB. `replay`: and sends all of it to a client. */
async function peakOfOpening({ cwd, home }: Place, replay: "none" | "start"): Promise<number> {
  const server = spawnServer({
    ...{ command: harnessCommand, args: ["serve", "--stdio"], cwd },
    env: Object.fromEntries(Object.entries(cleanEnv(home)).filter(([, value]) => value !== undefined)),
    onStderr: () => undefined,
  });
  const peak = watchPeak(server.pid ?? 0, SAMPLE_MS);
  const client = await openClient(server.channel, {
    ...{ clientInfo: { name: "bench", version: "1" }, onUpdate: () => undefined, onLost: () => undefined },
    onBug: (error) => {
      throw error;
    },
  });
  await client.call("session/resume", { sessionId: SESSION, cwd, replay: { type: replay } });
  const highest = peak() / 1e6;
  await client.close();
  return highest;
}

async function longLog(megabytes: number, times: number): Promise<Figure[]> {
  return await withPlace(async (place) => {
    const { cwd, root } = place;
    leaveSession(root, { sessionId: SESSION, cwd, resultWords: 500, bytes: megabytes * 1e6 });
    const runs = async (run: () => Promise<number>): Promise<number[]> => {
      const found: number[] = [];
      for (let n = 0; n < times; n += 1) found.push(await run());
      return found;
    };
    const row = async (name: string, run: () => Promise<number>): Promise<Figure> => ({
      ...{ name, unit: "MB", target: MEMORY_MB },
      runs: await runs(run),
    });
    const search = ["session", "search", "parser cache"];
    return [
      await row(`a log of ${megabytes} MB, memory: opened`, () => peakOfOpening(place, "none")),
      await row("– opened, and sent to a client", () => peakOfOpening(place, "start")),
      await row("– searched, with the index made first", () => {
        for (const end of ["", "-wal", "-shm"]) rmSync(join(root, `.search.db${end}`), { force: true });
        return peakOf(search, place);
      }),
      await row("– exported as Markdown", () => peakOf(["session", "export", SESSION, "-o", "a.md", "--force"], place)),
      await row("– exported as HTML", () => peakOf(["session", "export", SESSION, "-o", "a.html", "--force"], place)),
      await row("– exported as a trajectory", () =>
        peakOf(["session", "export", SESSION, "-o", "a.atif.json", "--force"], place),
      ),
    ];
  });
}

/** `megabytes`: the size of the long log. */
export async function sessionLogFigures(times: number, megabytes: number): Promise<Figure[]> {
  // The first start after a change bundles the program.
  await withPlace((place) => peakOf(["--version"], place));
  const figures = [await appended(times)];
  for (const messages of SIZES) figures.push(...(await resumed(messages, times)));
  return [...figures, ...(await longLog(megabytes, times))];
}

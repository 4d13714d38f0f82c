// Many stored sessions with varied text, as people leave them: for figures of lists and searches.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { encodeLine } from "../packages/storage/src/sessions/jsonl/log-line.ts";

export const SESSIONS_START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const FOLDERS = 20;
const WORDS = 30_000;
const COMPACTED_TURNS = 150;
const PARTS = [
  "par",
  "ser",
  "cach",
  "tok",
  "en",
  "log",
  "re",
  "build",
  "ser",
  "ver",
  "line",
  "fold",
  "ing",
  "er",
  "test",
];

/** Repeatable numbers from 0 to 1, by a linear congruential generator. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Words as in texts: few of them are in most places, most of them in few. */
function vocabulary(): (random: () => number) => string {
  const random = randoms(1);
  const part = () => PARTS[Math.floor(random() * PARTS.length)] ?? "";
  const words = Array.from(
    { length: WORDS },
    (_, n) => `${part()}${part()}${n % 3 === 0 ? part() : ""}${n.toString(36)}`,
  );
  return (next) => words[Math.floor(WORDS * next() ** 4)] ?? "";
}

type Size = { sessions: number; bytesEach: number };

/** Writes logs of about this size each; most of it is the output of tools, as in real ones. Returns how many bytes there are. */
export function leaveSessions(root: string, { sessions, bytesEach }: Size): number {
  const word = vocabulary();
  let bytes = 0;
  for (let n = 0; n < sessions; n += 1) {
    const at = SESSIONS_START + n * MINUTE_MS;
    const day = new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
    const sessionId = `${day}-${String(100_000 + (n % 900_000))}-${n.toString(36).padStart(4, "a")}`;
    const dir = join(root, sessionId);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const text = sessionLines({
      ...{ sessionId, n, at, word, bytesEach },
      cwd: `/projects/p${n % FOLDERS}`,
      resultWords: 500,
    });
    writeFileSync(join(dir, "log.jsonl"), text, { mode: 0o600 });
    bytes += text.length;
  }
  return bytes;
}

/** One long session. `turns`, `bytes`: where it ends, whichever is reached first. Returns how many bytes it has. */
export function leaveSession(
  root: string,
  session: { sessionId: string; cwd: string; resultWords: number; turns?: number; bytes?: number },
): number {
  const { sessionId, cwd, resultWords, turns = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = session;
  const dir = join(root, sessionId);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = { sessionId, cwd, n: 0, at: SESSIONS_START, word: vocabulary(), resultWords };
  const file = openSync(join(dir, "log.jsonl"), "w", 0o600);
  let length = 0;
  let turn = 0;
  for (const lines of turnsOf(draft)) {
    writeSync(file, lines);
    length += lines.length;
    turn += 1;
    if (turn >= turns || length >= bytes) break;
  }
  closeSync(file);
  return length;
}

type Draft = {
  sessionId: string;
  cwd: string;
  n: number;
  at: number;
  word: ReturnType<typeof vocabulary>;
  resultWords: number;
};

function sessionLines({ bytesEach, ...draft }: Draft & Pick<Size, "bytesEach">): Buffer {
  const all: Buffer[] = [];
  let length = 0;
  for (const lines of turnsOf(draft)) {
    all.push(lines);
    length += lines.length;
    if (length >= bytesEach) break;
  }
  return Buffer.concat(all);
}

/** The lines of one turn after another, without end: a message, an answer with a call, and its result. The header comes with the first. */
function* turnsOf({ sessionId, cwd, n, at, word, resultWords }: Draft): Generator<Buffer> {
  const random = randoms(n + 2);
  const words = (count: number) => Array.from({ length: count }, () => word(random)).join(" ");
  let lines = [encodeLine({ type: "header", version: 1, sessionId, cwd, createdAt: new Date(at).toISOString() })];
  let seq = 0;
  const add = (update: Fact) => {
    seq += 1;
    const fact: StoredFact = { seq, at: new Date(at + seq * 100).toISOString(), agentId: ROOT_AGENT, update };
    lines.push(encodeLine(fact));
  };
  for (let turn = 0; ; turn += 1) {
    const messageId = `m${turn}`;
    const number = turn === 0 ? ` case${n}` : "";
    add({
      ...{ sessionUpdate: "user_message", messageId, origin: "user" },
      content: [{ type: "text", text: `${words(30)}${number}` }],
    });
    const call = {
      type: "tool_call",
      toolCallId: `c${turn}`,
      name: "read",
      input: { file_path: `src/${word(random)}.ts` },
    } as const;
    const reply = {
      sessionUpdate: "agent_message",
      messageId: `a${turn}`,
      stop: "end",
      provider: "local",
      model: `model-${n % 4}`,
    } as const;
    add({ ...reply, parts: [{ type: "text", text: `${words(80)} turn${turn}` }, call] });
    const outcome = { status: "ok" as const, text: words(resultWords), blocks: [], durationMs: 5 };
    add({ sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status: "completed", name: "read", outcome });
    add({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    // As in any session that is longer than a context window.
    if (turn % COMPACTED_TURNS === COMPACTED_TURNS - 1)
      add({
        ...{ sessionUpdate: "compaction_update", compactionId: `s${turn}`, reason: "auto", summary: words(300) },
        ...{ keepFromSeq: seq - 20, tokensBefore: 150_000, tokensAfter: 4_000 },
      });
    yield Buffer.concat(lines);
    lines = [];
  }
}

// Many stored sessions with varied text, as people leave them: for figures of lists and searches.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { encodeLine } from "../packages/storage/src/sessions/jsonl/log-line.ts";

export const SESSIONS_START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const FOLDERS = 20;
const WORDS = 30_000;
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
    const text = sessionLines({ sessionId, n, at, word, bytesEach });
    writeFileSync(join(dir, "log.jsonl"), text, { mode: 0o600 });
    bytes += text.length;
  }
  return bytes;
}

type Draft = Pick<Size, "bytesEach"> & {
  sessionId: string;
  n: number;
  at: number;
  word: ReturnType<typeof vocabulary>;
};

function sessionLines({ sessionId, n, at, word, bytesEach }: Draft): Buffer {
  const random = randoms(n + 2);
  const words = (count: number) => Array.from({ length: count }, () => word(random)).join(" ");
  const header = {
    type: "header",
    version: 1,
    sessionId,
    cwd: `/projects/p${n % FOLDERS}`,
    createdAt: new Date(at).toISOString(),
  };
  const lines = [encodeLine(header)];
  let length = 0;
  let seq = 0;
  const add = (update: Fact) => {
    seq += 1;
    const fact: StoredFact = { seq, at: new Date(at + seq * 100).toISOString(), agentId: ROOT_AGENT, update };
    const line = encodeLine(fact);
    lines.push(line);
    length += line.length;
  };
  for (let turn = 0; length < bytesEach; turn += 1) {
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
    add({ ...reply, parts: [{ type: "text", text: words(80) }, call] });
    const outcome = { status: "ok" as const, text: words(500), blocks: [], durationMs: 5 };
    add({ sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status: "completed", name: "read", outcome });
    add({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  }
  return Buffer.concat(lines);
}

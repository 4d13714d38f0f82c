import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { factsOf } from "@harness/core";
import { textOf } from "@harness/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "../../session-store.ts";
import { describeImport } from "./find-imports.ts";
import { importFrom } from "./import-formats.ts";
import { writeImport } from "./write-import.ts";

const recorded = join(import.meta.dirname, "recorded");
const root = mkdtempSync(join(tmpdir(), "recorded-"));
afterAll(() => rmSync(root, { recursive: true }));
const now = "2026-11-28T12:00:00.000Z";
const store = openStore(join(root, "store"), { clock: { now: () => Date.parse(now) } });

/** Files by agent; what is recorded beside them belongs to them. */
const sessions = {
  claude: "session.jsonl",
  codex: "rollout-2026-11-28T00-54-00-01a21fa5-0e05-7ff2-9fe9-b2aa06281e07.jsonl",
  gemini: "project/chats/session-2026-11-28T01-02-20f4b1ef.jsonl",
  opencode: "export.json",
  pi: "session.jsonl",
  qwen: "session.jsonl",
};

/** The session that an import makes, as its facts tell it. */
async function imported(path: string): Promise<string> {
  const taken = importFrom(path);
  if ("problem" in taken) throw new Error(taken.problem);
  const { sessionId } = await writeImport(store, taken, { cwd: taken.cwd ?? "/nowhere", now });
  const loaded = store.load(sessionId);
  if ("problem" in loaded) throw new Error(loaded.problem);
  const { cwd, createdAt } = loaded.header;
  const lines = [`cwd ${cwd}, since ${createdAt}`];
  for (const { at, turnId, update } of factsOf(loaded)) {
    const head = `${at} ${turnId ?? "-"} ${update.sessionUpdate}`;
    switch (update.sessionUpdate) {
      case "user_message":
        lines.push(`${head}\n${textOf(update.content)}${update.content.map(({ type }) => `[${type}]`).join("")}`);
        break;
      case "agent_message":
        lines.push(`${head} of ${update.model}\n${textOf(update.parts.filter(({ type }) => type === "text"))}`);
        break;
      case "notice":
        lines.push(`${head} ${update.title} ${update.description}`);
        break;
      case "session_info_update":
        lines.push(`${head} ${update.title}`);
        break;
      default:
        lines.push(head);
    }
  }
  return `${lines.join("\n")}\n`;
}

describe("a session that another agent has left", () => {
  it.each(Object.entries(sessions))("of %s is imported as its file of expectations has it", async (agent, file) => {
    await expect(await imported(join(recorded, agent, file))).toMatchFileSnapshot(
      join(recorded, agent, "expected.txt"),
    );
  });

  const fork = "rollout-2026-11-28T02-06-56-01a21fe7-d3e9-7270-97da-5b1779b8674e.jsonl";
  it("of codex that is a fork has the history of the session that it was made of", async () => {
    const expected = join(recorded, "codex", "expected-fork.txt");
    await expect(await imported(join(recorded, "codex", fork))).toMatchFileSnapshot(expected);
    const alone = join(root, fork);
    copyFileSync(join(recorded, "codex", fork), alone);
    expect(await imported(alone)).toContain("Left out: 1 history of another session.");
    const folder = join(root, "home/.codex/sessions/2026/11/28");
    const archive = join(root, "home/.codex/archived_sessions");
    for (const [name, place] of [
      [fork, folder],
      [sessions.codex, archive],
    ] as const) {
      mkdirSync(place, { recursive: true });
      copyFileSync(join(recorded, "codex", name), join(place, name));
    }
    expect(await imported(join(folder, fork))).toBe(readFileSync(expected, "utf8"));
    expect(describeImport(join(folder, fork))).toEqual({ cwd: "/home/dev/project", title: "In the fork." });
  });

  it("is in the list above for every folder", () => {
    const folders = readdirSync(recorded).filter((name) => !name.includes("."));
    expect(folders.sort()).toEqual(Object.keys(sessions));
  });

  it.runIf("zstdCompressSync" in zlib)("of codex may be compressed", async () => {
    const path = join(root, "rollout-1.jsonl.zst");
    writeFileSync(path, zlib.zstdCompressSync(readFileSync(join(recorded, "codex", sessions.codex))));
    expect(await imported(path)).toBe(readFileSync(join(recorded, "codex/expected.txt"), "utf8"));
    const described = { cwd: "/home/dev/project", title: "Fix the greeting in greet.js." };
    expect(describeImport(path)).toEqual(described);
    const rows = Array.from({ length: 20_000 }, (_, at) => JSON.stringify({ type: "event_msg", payload: { at } }));
    const text = `${readFileSync(join(recorded, "codex", sessions.codex), "utf8")}${rows.join("\n")}\n`;
    writeFileSync(path, zlib.zstdCompressSync(text));
    expect(describeImport(path)).toEqual(described);
  });

  it("has none of the words of a vendor", () => {
    for (const [agent, file] of Object.entries(sessions)) {
      const path = join(recorded, agent, file);
      expect(existsSync(path)).toBe(true);
      expect(readFileSync(path, "utf8")).not.toMatch(/You are (?:a|an|the) |IMPORTANT:|\/tmp\/agents/);
    }
  });
});

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../../test/harness-process.ts";
import { runInProcess } from "../../../test/in-process.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome({});
});
afterAll(() => place.remove());

const at = "2026-11-21T13:30:22.000Z";
const sessionId = "20261121-143022-x7f3";
const said = (text: string, more: object = {}) => ({
  sessionUpdate: "user_message",
  ...{ messageId: text, content: [{ type: "text", text }], origin: "user" },
  ...more,
});

const replied = (text: string, more: object = {}) => ({
  sessionUpdate: "agent_message",
  ...{ messageId: "r", parts: [{ type: "text", text }], stop: "end", provider: "local", model: "small" },
  ...more,
});
const listed = (more: object) => ({ sessionUpdate: "tool_call_update", toolCallId: "c", ...more });
const outcome = { status: "ok", text: "a.txt", blocks: [], durationMs: 1 };
const fromFiles = (rewindId: string, fromSeq: number, title: string) => ({
  sessionUpdate: "rewind_update",
  ...{ rewindId, kind: "rewind", turnIds: [], files: [], fromSeq, fromFiles: true, title },
});

function put(updates: readonly object[]): string {
  const session = { sessionId, cwd: place.cwd, createdAt: at, version: 1 };
  const lines = [
    { format: "harness-bundle", version: 1, session },
    ...updates.map((update, index) => ({ fact: { seq: index + 1, at, agentId: "main", update } })),
  ].map((line) => `${JSON.stringify(line)}\n`);
  const sha256 = createHash("sha256").update(lines.join("")).digest("hex");
  const path = join(place.cwd, "talk.harness.gz");
  writeFileSync(path, gzipSync(`${lines.join("")}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`));
  return path;
}

describe("harness session show", () => {
  it("tells who speaks, and leaves out what a rewind has hidden and what is for the model only", async () => {
    const path = put([
      said("the person asks"),
      said("a reminder", { origin: "harness", kind: "working_context" }),
      said("the agent\ntells", { origin: "agent", fromAgentId: "k1" }),
      said("a mistake"),
      { sessionUpdate: "rewind_update", rewindId: "r", kind: "rewind", turnIds: [], files: [], fromSeq: 4 },
    ]);
    expect(await runInProcess(place, ["session", "import", path])).toMatchObject({ code: 0 });
    const { stdout } = await runInProcess(place, ["session", "show", sessionId]);
    expect(stdout).toContain("\n> the person asks\n\n> [from k1] the agent\n> tells\n");
    expect(stdout).not.toMatch(/a reminder|a mistake/);
    expect((await runInProcess(place, ["session", "show", sessionId, "--json"])).stdout).toContain("a mistake");
  });

  it("shows messages once, as they are now, where files were edited by hand", async () => {
    const path = put([
      said("one"),
      replied("Let me look."),
      listed({ status: "in_progress", name: "bash", title: "ls -la" }),
      listed({ status: "completed", outcome }),
      replied("The port is 80.", { messageId: "r2" }),
      fromFiles("f1", 2, "1 message was edited."),
      replied("Let me look.", { fromFile: { of: 2 } }),
      listed({ status: "completed", name: "bash", outcome, fromFile: { of: 4 } }),
      replied("The port is 8080.", { messageId: "r2", fromFile: { of: 5, changed: true } }),
      fromFiles("f2", 1, "1 message was added."),
      said("zero", { fromFile: {} }),
      said("one", { fromFile: { of: 1 } }),
      replied("Let me look.", { fromFile: { of: 7 } }),
      listed({ status: "completed", name: "bash", outcome, fromFile: { of: 8 } }),
      replied("The port is 8080.", { messageId: "r2", fromFile: { of: 9 } }),
    ]);
    const own = new TestHome({});
    expect(await runInProcess(own, ["session", "import", path])).toMatchObject({ code: 0 });
    const { stdout } = await runInProcess(own, ["session", "show", sessionId]);
    const now = "> zero\n\n> one\n\nLet me look.\n· ls -la\n\nThe port is 8080.\n";
    expect(stdout.slice(stdout.indexOf("\n\n"))).toBe(
      `\n\n(1 message was edited.)\n\n(1 message was added.)\n\n${now}`,
    );
    const exported = join(own.cwd, "talk.md");
    expect(await runInProcess(own, ["session", "export", sessionId, "-o", exported])).toMatchObject({ code: 0 });
    expect(readFileSync(exported, "utf8").match(/Let me look\.|ls -la|port is \d+|\bzero$|\bone$/gm)).toEqual([
      "zero",
      "one",
      "Let me look.",
      "ls -la",
      "port is 8080",
    ]);
    own.remove();
  });
});

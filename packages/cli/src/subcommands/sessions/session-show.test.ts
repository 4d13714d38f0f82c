import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
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
});

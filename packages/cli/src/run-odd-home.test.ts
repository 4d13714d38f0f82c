// `harness run` with a home whose files are damaged, or are not what they must be.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resultOf, TestHome } from "../test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello there.", { repeat: "always" })] } });
});
afterAll(() => server?.close());
beforeEach(() => {
  place = new TestHome(server.environment);
});
afterEach(() => place.remove());

const conversations = () => join(place.home, "conversations");

async function leaveSession(): Promise<{ sessionId: string; log: string }> {
  const { sessionId } = resultOf(await place.run(["run", "--output-format", "json", "hi"]));
  return { sessionId: String(sessionId), log: join(conversations(), String(sessionId), "log.jsonl") };
}

describe("harness run --continue", () => {
  it("goes on with a session whose first line is damaged", async () => {
    const { sessionId, log } = await leaveSession();
    const bytes = readFileSync(log);
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    writeFileSync(log, bytes);
    const ended = await place.run(["run", "--output-format", "json", "--continue", "again"]);
    expect(resultOf(ended)).toMatchObject({ sessionId, exitCode: 0 });
    expect(ended.stderr).toContain("damaged");
  });

  it("says that the stored sessions cannot be read, not that there are none", async () => {
    const { sessionId, log } = await leaveSession();
    rmSync(log);
    execFileSync("mkfifo", [log]);
    const ended = await place.run(["run", "--continue", "again"]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(sessionId) });
    expect(ended.stderr).toContain("it is not a regular file");
    rmSync(conversations(), { recursive: true });
    writeFileSync(conversations(), "");
    const none = await place.run(["run", "--continue", "again"]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("Could not list the stored sessions") });
  });
});

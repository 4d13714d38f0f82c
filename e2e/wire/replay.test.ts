// Replays of sessions that were recorded by another process: real servers over stdio, scripted models over real HTTP.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { ProtocolError } from "@harness/protocol";
import { type Flavour, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image" as const, mimeType: "image/png", data: onePixel };
const isSummary = { system: "You summarise a coding agent" };

const script = [
  turns.call("read", { file_path: "a.txt" }),
  turns.call("bash", { command: "touch made.txt" }),
  { ...turns.say("Done."), fault: { kind: "status" as const, status: 503 } },
  turns.call("agent", { task: "Look into a.txt." }),
  turns.say("ok", { repeat: "always" as const }),
];

type Talk = (text: string, more?: (typeof image)[]) => Promise<void>;

/** Records a session in one process, which has ended when this returns. */
async function record(flavour: Flavour, talkThrough: (client: HarnessClient, id: string, talk: Talk) => Promise<void>) {
  live = await LiveServer.start(
    { lanes: [{ match: isSummary, turns: [turns.say("A summary.")] }], turns: script },
    flavour,
  );
  mkdirSync(live.cwd);
  writeFileSync(join(live.cwd, "a.txt"), "hello\n");
  writeFileSync(join(live.cwd, "AGENTS.md"), "# Rules\n- Use tabs.\n");
  const { client, process } = await live.connect(choose("allow_once"), { HARNESS_MAX_RETRIES: "2" });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const { sessionId } = session;
  await talkThrough(client, sessionId, async (text, more = []) => {
    const { seq } = await client.call("session/get", { sessionId });
    await client.call("session/prompt", { sessionId, promptId: text, prompt: [...say(text), ...more] });
    await live.idle(seq);
  });
  await client.call("session/close", { sessionId });
  await client.close();
  await process.end(0);
  return sessionId;
}

async function replay(sessionId: string) {
  const { client, process } = await live.connect();
  const asked = live.model.requests.length;
  const before = filesOf(sessionId);
  const replayed = await client.call("session/replay", { sessionId }).catch((error: ProtocolError) => error.message);
  expect(live.model.requests.length).toBe(asked);
  expect(filesOf(sessionId)).toEqual(before);
  await client.close();
  await process.end(0);
  return typeof replayed === "string" ? { problem: replayed } : replayed;
}

const requestsOf = (sessionId: string) => join(live.home, "conversations", sessionId, "requests.jsonl");
const filesOf = (sessionId: string) =>
  ["log.jsonl", "requests.jsonl"].map(
    (name) => statSync(join(live.home, "conversations", sessionId, name), { throwIfNoEntry: false })?.mtimeMs,
  );

describe("a replay of a session with tools, a permission, a retry, an image, an agent and a compaction", () => {
  it.each<Flavour>(["openai", "anthropic", "ollama", "vllm"])(
    "makes the same requests of %s byte for byte",
    async (flavour) => {
      const sessionId = await record(flavour, async (client, id, talk) => {
        await talk("do it");
        await talk("with an agent", [image]);
        for (let n = 1; n <= 8; n += 1) await talk(`message ${n}`);
        await client.call("command/run", { sessionId: id, name: "compact", args: "" });
        await talk("and after it");
      });
      rmSync(join(live.cwd, "a.txt"));
      writeFileSync(join(live.cwd, "another.txt"), "of the next day");
      const replayed = await replay(sessionId);
      expect(replayed).toMatchObject({ sessionId, differing: 0, differences: [], notes: [], turns: 11 });
      if ("problem" in replayed) throw new Error(replayed.problem);
      expect(replayed.exact).toBe(replayed.requests);
      expect(replayed.requests).toBeGreaterThanOrEqual(15);
      expect(replayed.calls).toBe(3);
    },
  );
});

describe("a replay with other hooks and settings", () => {
  const short = (_client: HarnessClient, _id: string, talk: Talk) => talk("do it");

  it("says where AGENTS.md is another one, with both sides", async () => {
    const sessionId = await record("openai", short);
    writeFileSync(join(live.cwd, "AGENTS.md"), "# Rules\n- Use spaces.\n");
    const replayed = await replay(sessionId);
    expect(replayed).toMatchObject({
      exact: 0,
      differences: expect.arrayContaining([
        {
          ...{ turn: 1, request: 1, agentId: "main", kind: "request", what: "The system text differs." },
          where: `system, ${join(live.cwd, "AGENTS.md")}`,
          recorded: "- Use tabs.",
          now: "- Use spaces.",
        },
      ]),
    });
  });

  it("says which call a hook would deny, and runs none", async () => {
    const sessionId = await record("openai", short);
    const folder = join(live.home, "hooks.d", "tool_exec");
    mkdirSync(folder, { recursive: true });
    const marker = join(live.root, "ran");
    writeFileSync(
      join(folder, "05-no"),
      `#!/bin/sh\necho ran >>'${marker}'\nif grep -q touch; then echo "no touching" >&2; exit 1; fi\n`,
      { mode: 0o755 },
    );
    rmSync(join(live.cwd, "made.txt"));
    expect(await replay(sessionId)).toMatchObject({
      differing: 1,
      differences: [
        {
          ...{ turn: 1, request: 2, kind: "call", where: "bash touch made.txt", recorded: "A person was asked." },
          now: expect.stringMatching(/^It would be denied by a hook: it is refused by the hook .*05-no/),
        },
      ],
    });
    expect(readFileSync(marker, "utf8")).toContain("ran");
    expect(statSync(join(live.cwd, "made.txt"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("says what rules, instructions and hooks of requests would change", async () => {
    const sessionId = await record("openai", short);
    writeFileSync(join(live.home, "settings.json"), JSON.stringify({ denied_command_prefixes: ["touch"] }));
    expect(await replay(sessionId)).toMatchObject({
      differing: 1,
      differences: [{ kind: "call", now: expect.stringContaining("It would be denied by the rule touch") }],
    });
    writeFileSync(join(live.home, "settings.json"), JSON.stringify({ custom_instructions: "Be brief." }));
    expect(await replay(sessionId)).toMatchObject({
      differences: [{ where: expect.stringContaining("system") }, {}, {}],
    });
    rmSync(join(live.home, "settings.json"));
    const folder = join(live.home, "hooks.d", "send");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "05-tell"), `#!/bin/sh\nsed 's/do it/do it now/'\n`, { mode: 0o755 });
    expect(await replay(sessionId)).toMatchObject({
      differences: [{ where: "messages[0]", now: expect.stringContaining("do it now") }, {}, {}],
    });
  });
});

describe("a record that is not whole", () => {
  it("is replayed as far as a kill or a disk has left it, and says what is missing", async () => {
    const sessionId = await record("openai", (_client, _id, talk) => talk("do it"));
    const path = requestsOf(sessionId);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -40));
    expect(await replay(sessionId)).toMatchObject({
      ...{ requests: 2, exact: 2, differing: 0 },
      notes: ["Not compared: 1 reply without a record of the request.", "1 line of the record cannot be read."],
    });
    writeFileSync(path, whole);
    appendFileSync(path, '{"agentId":"main","after":99999,"sha256":"x","messages":{"keep":0,"add":[]}}\n[]\n');
    expect(await replay(sessionId)).toMatchObject({
      exact: 3,
      differing: 0,
      notes: ["1 line of the record cannot be read."],
    });
    writeFileSync(path, "garbage\n");
    expect(await replay(sessionId)).toEqual({ problem: expect.stringContaining("is damaged: it cannot be replayed") });
  });

  it("that is a named pipe is not waited for, which is said", async () => {
    const sessionId = await record("openai", (_client, _id, talk) => talk("do it"));
    const path = requestsOf(sessionId);
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(await replay(sessionId)).toEqual({ problem: `${path} cannot be replayed: it is not a regular file.` });
  });

  it("is missing for a session of an older version, which is said", async () => {
    const sessionId = await record("openai", (_client, _id, talk) => talk("do it"));
    rmSync(requestsOf(sessionId));
    expect(await replay(sessionId)).toEqual({
      problem: `Session ${sessionId} cannot be replayed: there is no record of its requests. Sessions of older versions have none, and imported ones.`,
    });
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bitmap, blackPng, type ModelServer, type RequestRecord, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Line, linesOf, type ProcessEnd, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

// The command as users and scripts run it: real processes, a real server within them, a model over real HTTP.

let server: ModelServer;
let place: TestHome;
const run = (args: string[], options?: Parameters<TestHome["run"]>[1]): Promise<ProcessEnd> =>
  place.run(["run", ...args], options);

const always = { perConversation: true } as const;
const status = (code: number) => [turns.fail({ kind: "status", status: code, times: "always" })];
const touch = turns.call("bash", { command: "touch made" }, { text: "I try." });

beforeAll(async () => {
  server = await startModelServer({
    scenario: {
      name: "one run after another",
      lanes: [
        { match: "wrong key", turns: status(401) },
        { match: "forbidden", turns: status(403) },
        { match: "bad request", turns: status(400) },
        {
          match: "plan it",
          turns: [turns.call("switch_mode", { mode: "agent" }), touch, turns.say("Here is the plan.")],
          ...always,
        },
        { match: "touch", turns: [touch, turns.say("Done now.")], ...always },
        { match: "circle", turns: [turns.call("ls", {}, { repeat: "always" })], ...always },
        { match: "cut", turns: [turns.say("Half an ans", { stop: "length", repeat: "always" })] },
        {
          match: "hang",
          turns: [{ text: "Some words first.", fault: { kind: "hang", afterEvents: 2, times: "always" } }],
        },
        {
          match: "think",
          turns: [turns.say("Thought.", { thinking: "Let me see.", chunk: { size: 4 }, repeat: "always" })],
        },
        { match: "nothing", turns: [turns.say("", { thinking: "Hm.", repeat: "always" })] },
        { match: "tags", turns: [turns.say("<think>I will look soon.</think>\n\n"), turns.say("Here.")] },
        {
          match: "loading",
          turns: [turns.say("Loaded.", { fault: { kind: "status", status: 503, message: "Loading model", times: 1 } })],
        },
        { match: "control", turns: [turns.say("a\u001b[2Jb", { repeat: "always" })] },
      ],
      turns: [turns.say("Hello there.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

type Body = { messages: { role: string; content: unknown }[]; model: string };

/** The last request whose first user message contains this. */
function requestWith(text: string): Body {
  const has = ({ body }: RequestRecord) => JSON.stringify((body as Body).messages).includes(text);
  const found = server.chatRequests.findLast(has);
  if (!found) throw new Error(`No line said ${text}.`);
  return found.body as Body;
}

const requestsWith = (text: string) =>
  server.chatRequests.filter(({ body }) => JSON.stringify(body).includes(text)).length;
/** The last message, without the date that comes with the first one of a day. */
const lastOf = ({ messages }: Body) => {
  const content = messages.at(-1)?.content;
  return typeof content === "string" ? content.replace(/\n\n\[Today: [\d-]+\]$/, "") : content;
};

describe.concurrent("stdout of a run", () => {
  it("holds only the answer in text format", async () => {
    expect(await run(["say hello"])).toEqual({ code: 0, signal: null, stdout: "Hello there.\n", stderr: "" });
  });

  it("never holds the tags of thinking, which is not an answer", async () => {
    expect(await run(["tags"])).toMatchObject({ code: 0, stdout: "Here.\n" });
  });

  it("holds the answer of a server that had to load its model, which is said on stderr", async () => {
    const stderr = "harness: The server is loading the model.\n";
    expect(await run(["loading"])).toEqual({ code: 0, signal: null, stdout: "Loaded.\n", stderr });
  });

  it("holds one JSON object in json format, with or without notes", async () => {
    const ended = await run(["--output-format", "json", "touch it (json)"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toBe(
      "harness: Denied: bash touch made. It runs a command; nobody can be asked in this run; allow it with --allow or --permission-mode.\n",
    );
    expect(resultOf(ended)).toMatchObject({
      subtype: "success",
      isError: false,
      exitCode: 0,
      stopReason: "end_turn",
      result: "Done now.",
      turns: 2,
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      models: { "openai/scripted-model": {} },
      permissionDenials: [
        { tool: "bash", title: "bash touch made", reason: expect.stringContaining("nobody can be asked") },
      ],
      filesChanged: [],
    });
    expect(resultOf(ended)).not.toHaveProperty("error");
    expect(existsSync(join(place.cwd, "made"))).toBe(false);
  });

  it("holds init, updates and one result, one per line, in stream-json format", async () => {
    const { code, stdout } = await run(["--json", "touch it (stream)"]);
    const lines = linesOf(stdout);
    expect(code).toBe(0);
    expect(lines[0]).toEqual({
      type: "init",
      mcpServers: [],
      sessionId: expect.stringMatching(/^\d{8}-\d{6}-\w{4}$/),
      cwd: place.cwd,
      provider: "openai",
      model: "scripted-model",
      version: expect.any(String),
      protocolVersion: "1",
    });
    expect(lines.map(({ type }) => type)).toEqual(["init", ...lines.slice(2).map(() => "update"), "result"]);
    // The progress of a request is reported, but is not a fact.
    const updates = lines.slice(1, -1).map(({ seq, update }) => ({ seq, kind: (update as Line).sessionUpdate }));
    expect(updates.filter(({ seq }) => seq === undefined).every(({ kind }) => kind === "request_status")).toBe(true);
    const seqs = updates.flatMap(({ seq }) => seq ?? []);
    expect(seqs).toEqual(seqs.map((_, n) => n + 1));
    expect(lines.slice(1, -1).every(({ sessionId }) => sessionId === lines[0]?.sessionId)).toBe(true);
    expect(lines.at(-2)).toMatchObject({
      update: { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
    });
    expect(lines.at(-1)).toMatchObject({
      exitCode: 0,
      result: "Done now.",
      sessionId: lines[0]?.sessionId,
      cost: { usd: 0, unpricedRequests: 0 },
      repairs: [],
    });
  });

  it("holds the chunks on request, in order and without a gap", async () => {
    const { stdout } = await run(["--json", "--include-partial", "think aloud"]);
    const updates = linesOf(stdout).map(
      ({ update }) => update as { sessionUpdate: string; offset: number; text: string },
    );
    for (const [kind, whole] of [
      ["agent_thought_chunk", "Let me see."],
      ["agent_message_chunk", "Thought."],
    ]) {
      let text = "";
      for (const chunk of updates.filter((update) => update?.sessionUpdate === kind)) {
        expect(chunk.offset).toBe(text.length);
        text += chunk.text;
      }
      expect(text).toBe(whole);
    }
  });
});

/** Keeps conversations apart: the same text would continue where another run left the scenario. */
let conversation = 0;
const withNumber = (args: string[]): string[] => {
  conversation += 1;
  return args.map((arg) => arg.replace("#", `#${conversation}`));
};

describe.concurrent("the exit code of a run", () => {
  type Row = [what: string, code: number, args: string[], result: Record<string, unknown>];
  const key: Row = ["a refused key", 3, ["wrong key"], { subtype: "error", error: { kind: "auth", retryable: false } }];
  const refused: Row = ["a refused request", 1, ["bad request"], { subtype: "error", error: { kind: "badRequest" } }];
  const most = { subtype: "limit", stopReason: "max_turn_requests", turns: 2 };
  const limit: Row = ["the most turns", 5, ["--max-turns", "2", "circle #"], most];
  const spent: Row = [
    "the most tokens",
    5,
    ["--max-tokens", "1", "circle #"],
    { subtype: "limit", stopReason: "budget" },
  ];
  const asked = { subtype: "denied", error: { message: expect.stringContaining("bash touch made") } };
  const denied: Row = ["a needed permission", 4, ["--permission-prompt", "fail", "touch #"], asked];
  const lost: Row = ["an unknown session", 7, ["-r", "nope", "hi"], { sessionId: null, error: { kind: "session" } }];
  const missing: Row = ["a missing file", 2, ["-f", "nope", "hi"], { error: { message: "nope does not exist." } }];

  it("is the same in every format", async () => {
    const [, code, args, expected] = key;
    const formats = ["text", "json", "stream-json"];
    const ends = await Promise.all(formats.map((format) => run(["--output-format", format, ...withNumber(args)])));
    const [text, json, stream] = ends as [ProcessEnd, ProcessEnd, ProcessEnd];
    expect(ends.map((end) => end.code)).toEqual([code, code, code]);
    const result = resultOf(json);
    expect(result).toMatchObject({ isError: true, exitCode: code, ...expected });
    const { message } = result.error as { message: string };
    expect(text.stdout).toBe(result.result ? `${result.result}\n` : "");
    for (const { stderr } of ends) expect(stderr).toContain(`harness: ${message}`);
    const lines = linesOf(stream.stdout);
    expect(lines.filter(({ type }) => type === "result")).toEqual([lines.at(-1)]);
    expect(lines.at(-1)).toMatchObject({ isError: true, exitCode: code });
  });

  it.each<Row>([
    refused,
    limit,
    spent,
    denied,
    lost,
    missing,
    ["a refused account", 3, ["forbidden"], { subtype: "error" }],
    ["stuck in a loop", 5, ["circle #"], { subtype: "limit", stopReason: "loop" }],
    ["an answer of nothing", 1, ["nothing"], { subtype: "error", error: { kind: "empty" } }],
    ["a cut answer", 5, ["cut it"], { subtype: "limit", stopReason: "max_tokens", result: "Half an ans" }],
    [
      "the time",
      5,
      ["--timeout", "1s", "hang"],
      { subtype: "limit", error: { message: "Stopped after 1 s (--timeout)." } },
    ],
    ["a folder without sessions", 7, ["-C", "/", "-c", "hi"], { sessionId: null }],
    ["an unknown provider", 3, ["--provider", "acme", "hi"], { error: { kind: "config" } }],
    ["an unknown rule", 2, ["--allow", "bash(", "hi"], { error: { message: expect.stringContaining("`bash(`") } }],
    ["a blank prompt", 2, [""], { error: { kind: "usage", message: expect.stringContaining("The prompt is blank.") } }],
    ["no prompt", 2, [], { error: { message: expect.stringContaining("The prompt is empty.") } }],
  ])("is determined by the outcome: %s: %d", async (_what, code, args, expected) => {
    const ended = await run(["--output-format", "json", ...withNumber(args)]);
    expect(ended.code).toBe(code);
    expect(resultOf(ended)).toMatchObject({ isError: true, exitCode: code, ...expected });
    // A sentence, without internals of the program.
    expect(ended.stderr).toMatch(/^harness: [A-Z\w-].*[.)"]$/m);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it("is reached after one request when the provider refuses the key", async () => {
    await run(["wrong key, asked once"]);
    expect(requestsWith("wrong key, asked once")).toBe(1);
  });

  it.each([
    ["assemble", "fails", "exit 1"],
    ["assemble", "answers nonsense", "echo nonsense"],
    ["assemble", "does not end", "sleep 300"],
    ["done", "fails", "exit 1"],
    ["done", "answers nonsense", "echo nonsense"],
    ["done", "does not end", "sleep 300"],
  ])("is 1 where a hook of the stage %s %s", async (stage, _what, does) => {
    // The other runs have no hooks.
    const own = new TestHome(server.environment);
    const folder = join(own.home, "hooks.d", stage);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "10-bad"), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    writeFileSync(join(folder, "10-bad.conf"), "timeout=1\n");
    try {
      const ended = await own.run(["run", "--output-format", "json", "hi"]);
      expect(ended.code).toBe(1);
      expect(resultOf(ended)).toMatchObject({ exitCode: 1, error: { kind: "hook", retryable: false } });
      expect(ended.stderr).toContain(join(folder, "10-bad"));
    } finally {
      own.remove();
    }
  });

  it("is 3 without a model, with three lines on how to get one", async () => {
    const env = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", HARNESS_MODEL: "" };
    const [text, json] = await Promise.all([run(["hi"], { env }), run(["--output-format", "json", "hi"], { env })]);
    expect([text.code, json.code]).toEqual([3, 3]);
    const [problem, ...advice] = text.stderr.trimEnd().split("\n");
    expect(problem).toMatch(/^harness: No model is set up/);
    expect(advice.map((line) => line.split(":")[0])).toEqual([
      "On this machine",
      "Hosted",
      "Any other OpenAI-compatible server",
    ]);
    expect(resultOf(json).error).toMatchObject({
      kind: "config",
      message: text.stderr.trimEnd().replace("harness: ", ""),
    });
  });

  it("is 2 for invalid flags, which are named", async () => {
    const ended = await run(["--outptu-format", "json", "hi"]);
    expect(ended).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "harness: Unknown flag --outptu-format. Did you mean --output-format? harness help flags lists them.\n",
    });
    expect(await place.run([])).toMatchObject({ code: 2, stderr: expect.stringContaining('harness run "what to do"') });
    expect(await place.run(["serve"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("harness serve --stdio"),
    });
  });
});

describe.concurrent("the prompt of a run", () => {
  it("is stdin when no words are given, or for a dash", async () => {
    for (const args of [[], ["-"]]) {
      const text = `piped in ${args.length}`;
      expect(await run(args, { stdin: `${text}\n` })).toMatchObject({ code: 0, stdout: "Hello there.\n" });
      expect(lastOf(requestWith(text))).toBe(text);
    }
  });

  it("has stdin, files and mentioned files after its words", async () => {
    writeFileSync(join(place.cwd, "a.txt"), "first file\n");
    writeFileSync(join(place.cwd, "b.txt"), "second file\n");
    expect(await run(["compare", "with @b.txt", "-f", "a.txt"], { stdin: "from a pipe\n" })).toMatchObject({ code: 0 });
    expect(lastOf(requestWith("from a pipe"))).toBe(
      'compare with @b.txt\n\n<stdin>\nfrom a pipe\n</stdin>\n\n<file path="a.txt">\nfirst file\n</file>\n\n<file path="b.txt">\nsecond file\n</file>',
    );
  });

  it("includes pictures", async () => {
    writeFileSync(join(place.cwd, "dot.png"), blackPng(1, 1));
    expect(await run(["what is on it", "--image", "dot.png"])).toMatchObject({ code: 0 });
    expect(JSON.stringify(lastOf(requestWith("what is on it")))).toContain("data:image/png;base64,iVBORw0KGgo");
    // A library scales it down in its own thread.
    writeFileSync(
      join(place.cwd, "large.png"),
      bitmap(3000, 20, () => 0),
    );
    expect(await run(["what is on the large one", "--image", "large.png"])).toMatchObject({ code: 0 });
    expect(JSON.stringify(lastOf(requestWith("what is on the large one")))).toContain("data:image/png;base64,");
  });

  it("does not wait for a pipe without a writer", async () => {
    const ended = await run(["go on without"], { stdin: "pipe" });
    expect(ended).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(ended.stderr).toContain("stdin is an open pipe without data; continuing without it.");
  });

  it("is sent with your own instructions and model", async () => {
    expect(await run(["-m", "openai/other", "--append-system-prompt", "Speak like a pirate.", "ahoy"])).toMatchObject({
      code: 0,
    });
    const { messages, model } = requestWith("ahoy");
    expect(model).toBe("other");
    expect(messages[0]?.role).toBe("system");
    expect(messages[0]?.content).toMatch(/^Speak like a pirate\./);
  });
});

describe.concurrent("the permission flags of a run", () => {
  it.each([
    ["--allow", "bash(touch)"],
    ["--permission-mode", "allow-all"],
  ])("let the call run: %s %s", async (...flags) => {
    const own = new TestHome(server.environment);
    expect(await own.run(["run", ...flags, `touch with ${flags}`])).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(own.cwd, "made"))).toBe(true);
    own.remove();
  });

  it.each([
    ["--mode planning", ["--mode", "planning"]],
    ["--mode research", ["--mode", "research"]],
    ["--permission-mode plan", ["--permission-mode", "plan"]],
  ])("do not lead out of the mode that was given: %s", async (_shown, mode) => {
    const own = new TestHome(server.environment);
    const all = mode[0] === "--mode" ? ["--permission-mode", "allow-all"] : [];
    const ended = await own.run(["run", ...mode, ...all, "--output-format", "json", `plan it, ${mode.join(" ")}`]);
    expect(resultOf(ended)).toMatchObject({ result: "Here is the plan." });
    expect(existsSync(join(own.cwd, "made"))).toBe(false);
    own.remove();
  });

  it("rank --deny above the others", async () => {
    const args = ["--permission-mode", "allow-all", "--deny", "bash", "--output-format", "json", "touch, but denied"];
    const result = resultOf(await run(args));
    expect(result.permissionDenials).toMatchObject([{ tool: "bash", reason: expect.stringContaining("bash") }]);
  });
});

describe.concurrent("stderr of a run", () => {
  it("holds only errors with --quiet", async () => {
    expect(await run(["-q", "touch quietly"])).toMatchObject({ code: 0, stderr: "" });
    expect((await run(["-q", "wrong key"])).stderr).toMatch(/^harness: .*\n$/);
  });

  it("lists tool calls with --verbose", async () => {
    const { stdout, stderr } = await run(["-v", "--allow", "bash", "touch, and tell me"]);
    expect(stdout).toBe("Done now.\n");
    const [said, note] = stderr.split(/(?=harness: )/);
    expect(said).toBe("I try.\n● bash touch made\n\n");
    expect(note).toMatch(/^harness: Session (\S+)\. Continue with: harness -r \1, or harness run -r \1 "…"\n$/);
  });

  it("cannot send control sequences to the terminal, and neither can stdout, whatever it leads to", async () => {
    expect(await run(["control characters"])).toMatchObject({ stdout: "ab\n", stderr: "" });
    expect((await run(["--effort", "x\u001b[2Jy", "hi"])).stderr).toContain('not "xy".\n');
  });
});

describe.concurrent("the files of a run", () => {
  it("include the answer on request", async () => {
    expect(await run(["-o", "answer.md", "write it down"])).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(readFileSync(join(place.cwd, "answer.md"), "utf8")).toBe("Hello there.");
    expect(await run(["-o", "no/such/folder", "x"])).toMatchObject({ code: 2 });
    const job = { env: { HARNESS_OUTPUT_DIR: place.cwd, HARNESS_JOB_ID: "batch-7" } };
    expect(await run(["write it down"], job)).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(readFileSync(join(place.cwd, "batch-7.txt"), "utf8")).toBe("Hello there.");
  });

  it("keep the answer of an earlier run when one fails without a word", async () => {
    writeFileSync(join(place.cwd, "earlier.md"), "earlier\n");
    expect(await run(["-o", "earlier.md", "wrong key"])).toMatchObject({ code: 3 });
    expect(readFileSync(join(place.cwd, "earlier.md"), "utf8")).toBe("earlier\n");
  });

  it("are limited to audit log and spend log when the run is ephemeral", async () => {
    const own = new TestHome(server.environment);
    expect(await own.run(["run", "--ephemeral", "--permission-mode", "allow-all", "touch and forget"])).toMatchObject({
      code: 0,
    });
    const left = existsSync(own.home) ? readdirSync(own.home, { recursive: true, encoding: "utf8" }) : [];
    expect(left.filter((path) => !path.startsWith("spend"))).toEqual(["audit.jsonl"]);
    own.remove();
  });
});

it("an unusable file of rules is named on stderr with its error", async () => {
  const home = join(place.root, "home with rules");
  mkdirSync(home, { mode: 0o700 });
  const rules = [{ decision: "deny", tool: "web_fetch", host: "https://example.com" }];
  writeFileSync(join(home, "policies.json"), JSON.stringify({ version: 1, rules }), { mode: 0o600 });
  const ended = await run(["touch it (rules)", "--permission-mode", "allow-all"], { env: { HARNESS_HOME: home } });
  expect(ended.stderr).toContain(`${join(home, "policies.json")}: Rule 1`);
  expect(ended.stderr).toContain(
    "a file of policies cannot be used, so harness asks about everything; it is asked in every mode",
  );
  expect(ended.stderr).not.toContain("--allow");
});

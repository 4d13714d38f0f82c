import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as zlib from "node:zlib";
import { textOf } from "@harness/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeImport, findImports } from "./find-imports.ts";
import type { ImportedMessage } from "./import-draft.ts";
import { importFormats, importFrom } from "./import-formats.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "imports-"));
});
afterAll(() => rmSync(home, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const lines = (...rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** The imported conversation: one line per message, `>` for the user's. */
function taken(path: string) {
  const result = importFrom(path);
  if ("problem" in result) return result;
  const { left, shortened, title, cwd, from } = result;
  const messages: ImportedMessage[] = [];
  result.forEachMessage((message) => messages.push(message));
  expect(messages).toHaveLength(result.messageCount);
  const talk = messages.map(({ by, content }) => `${by === "person" ? "> " : ""}${textOf(content).trim()}`);
  return { talk, left: Object.fromEntries(left), shortened, title, cwd, from, messages };
}

const at = "2026-11-20T10:00:00.000Z";
const LOOKED =
  'I look.\n\n<call tool="Bash">\n\n```\n{"command":"ls"}\n```\n\n</call>\n\n<result tool="Bash">\n\n```\na.ts\n```\n\n</result>\n\nThere is a.ts.';

const claude = (uuid: string, parentUuid: string | null, more: object) => ({
  ...{ uuid, parentUuid, timestamp: at, cwd: "/project", sessionId: "s", isSidechain: false },
  ...more,
});
const claudeUser = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}) =>
  claude(uuid, parentUuid, { type: "user", message: { role: "user", content }, ...more });
const claudeReply = (uuid: string, parentUuid: string | null, ...content: unknown[]) =>
  claude(uuid, parentUuid, { type: "assistant", message: { role: "assistant", model: "claude-x", content } });
const claudeTalk = [
  { type: "file-history-snapshot", messageId: "x" },
  claudeUser("u1", null, "what is here?"),
  claudeReply("a1", "u1", { type: "thinking", thinking: "Hm.", signature: "s" }, { type: "text", text: "I look." }),
  claudeReply("a2", "a1", { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }),
  claudeUser("u2", "a2", [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "a.ts" }] }], {
    toolUseResult: { stdout: "a.ts" },
  }),
  claudeReply("a3", "u2", { type: "text", text: "There is a.ts." }),
  { type: "custom-title", customTitle: "The look", sessionId: "s" },
];

const codexItem = (payload: object) => ({ timestamp: at, ordinal: 1, type: "response_item", payload });
const codexTalk = [
  { timestamp: at, type: "session_meta", payload: { id: "x", cwd: "/project", cli_version: "1" } },
  codexItem({ type: "message", role: "developer", content: [{ type: "input_text", text: "rules" }] }),
  codexItem({ type: "message", role: "user", content: [{ type: "input_text", text: "<environment_context>here" }] }),
  { timestamp: at, type: "turn_context", payload: { model: "gpt-x" } },
  codexItem({ type: "message", role: "user", content: [{ type: "input_text", text: "what is here?" }] }),
  codexItem({ type: "reasoning", summary: [], encrypted_content: "abc" }),
  codexItem({ type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] }),
  codexItem({ type: "function_call", name: "Bash", arguments: '{"command":"ls"}', call_id: "c1" }),
  codexItem({ type: "function_call_output", call_id: "c1", output: '{"output":"a.ts","metadata":{"exit_code":0}}' }),
  codexItem({ type: "message", role: "assistant", content: [{ type: "output_text", text: "There is a.ts." }] }),
];

const piEntry = (id: string, parentId: string | null, message: object) => ({
  type: "message",
  id,
  parentId,
  timestamp: at,
  message,
});
const piTalk = [
  { type: "session", version: 3, id: "x", timestamp: at, cwd: "/project" },
  piEntry("1", null, { role: "user", content: "what is here?" }),
  piEntry("other", "1", { role: "assistant", content: [{ type: "text", text: "another try" }] }),
  piEntry("2", "1", {
    ...{ role: "assistant", model: "m" },
    content: [
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "I look." },
      { type: "toolCall", id: "c", name: "Bash", arguments: { command: "ls" } },
    ],
  }),
  piEntry("3", "2", {
    role: "toolResult",
    toolCallId: "c",
    toolName: "Bash",
    content: [{ type: "text", text: "a.ts" }],
  }),
  piEntry("4", "3", { role: "assistant", content: [{ type: "text", text: "There is a.ts." }] }),
  { type: "session_info", id: "5", parentId: "4", name: "The look" },
];

const geminiMessages = [
  { id: "1", timestamp: at, type: "user", content: [{ text: "what is here?" }] },
  {
    ...{ id: "2", timestamp: at, type: "gemini", content: "I look.", model: "gemini-x", thoughts: [{ subject: "Hm" }] },
    toolCalls: [
      {
        ...{ id: "c", name: "Bash", args: { command: "ls" } },
        result: [{ functionResponse: { id: "c", name: "Bash", response: { output: "a.ts" } } }],
      },
    ],
  },
  { id: "3", timestamp: at, type: "gemini", content: "There is a.ts." },
];
const geminiHead = { sessionId: "x", projectHash: "abc", startTime: at };

const qwenLine = (uuid: string, parentUuid: string | null, type: string, ...parts: object[]) => ({
  ...{ uuid, parentUuid, type, timestamp: at, cwd: "/project", model: "qwen-x" },
  message: { role: "model", parts },
});
const qwenTalk = [
  qwenLine("1", null, "user", { text: "what is here?" }),
  { uuid: "t", parentUuid: "1", type: "system", subtype: "ui_telemetry", cwd: "/project" },
  qwenLine(
    "2",
    "t",
    "assistant",
    { text: "Hm.", thought: true },
    { text: "I look." },
    { functionCall: { id: "c", name: "Bash", args: { command: "ls" } } },
  ),
  qwenLine("3", "2", "tool_result", { functionResponse: { id: "c", name: "Bash", response: { output: "a.ts" } } }),
  qwenLine("4", "3", "assistant", { text: "There is a.ts." }),
];

const opencodeTalk = {
  info: { id: "ses", title: "The look", directory: "/project" },
  messages: [
    {
      info: { role: "user", time: { created: Date.parse(at) } },
      parts: [
        { type: "text", text: "what is here?" },
        { type: "text", synthetic: true, text: "injected" },
      ],
    },
    {
      info: { role: "assistant", modelID: "m", time: { created: Date.parse(at) } },
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "I look." },
        {
          type: "tool",
          callID: "c",
          tool: "Bash",
          state: { status: "completed", input: { command: "ls" }, output: "a.ts" },
        },
        { type: "text", text: "There is a.ts." },
      ],
    },
  ],
};

const tinyTalk = [
  { type: "meta", id: "x", working_dir: "/project", name: "The look", model: "m" },
  { type: "message", role: "System", content: "rules" },
  { type: "message", role: "User", content: "what is here?" },
  {
    type: "message",
    role: "Assistant",
    content: "I look.",
    tool_calls: [{ function: { name: "Bash", arguments: { command: "ls" } } }],
  },
  { type: "message", role: "Tool", content: "a.ts" },
  { type: "message", role: "Assistant", content: "There is a.ts." },
];

describe("a session of another program", () => {
  const sources: [name: string, file: string, content: string, from: string, left: object][] = [
    ["Claude Code", "claude.jsonl", lines(...claudeTalk), "Claude Code", { thought: 1 }],
    ["Codex", "codex.jsonl", lines(...codexTalk), "Codex", { thought: 1, "system message": 2 }],
    ["pi", "pi.jsonl", lines(...piTalk), "pi", { thought: 1, "message of another branch": 1 }],
    [
      "Gemini CLI, a document",
      "g.json",
      JSON.stringify({ ...geminiHead, messages: geminiMessages }, null, 2),
      "Gemini CLI",
      { thought: 1 },
    ],
    ["Gemini CLI, lines", "g.jsonl", lines(geminiHead, ...geminiMessages), "Gemini CLI", { thought: 1 }],
    ["Qwen Code", "qwen.jsonl", lines(...qwenTalk), "Qwen Code", { thought: 1 }],
    ["OpenCode", "oc.json", JSON.stringify(opencodeTalk, null, 1), "OpenCode", { thought: 1, "system message": 1 }],
    ["TinyHarness", "tiny.jsonl", lines(...tinyTalk), "TinyHarness", { "system message": 1 }],
  ];
  it.each(sources)("%s comes over as what was said, with calls as text", (_name, file, content, from, left) => {
    const got = taken(put(`all/${file}`, content));
    expect(got).toMatchObject({
      talk: ["> what is here?", LOOKED],
      from,
    });
    expect("left" in got ? got.left : undefined).toEqual(left);
  });

  it("is known by its title and its folder where the program has them", () => {
    for (const [file, content] of [
      ["c.jsonl", lines(...claudeTalk)],
      ["p.jsonl", lines(...piTalk)],
      ["o.json", JSON.stringify(opencodeTalk)],
      ["t.jsonl", lines(...tinyTalk)],
    ] as const)
      expect(taken(put(`titled/${file}`, content))).toMatchObject({ title: "The look", cwd: "/project" });
  });

  it.runIf("zstdCompressSync" in zlib)("may be compressed", () => {
    const path = put("packed/rollout-1.jsonl.zst", zlib.zstdCompressSync(Buffer.from(lines(...codexTalk))));
    expect(taken(path)).toMatchObject({ from: "Codex", cwd: "/project" });
    expect(taken(put("packed/broken.jsonl.zst", "no zstd"))).toMatchObject({
      problem: expect.stringContaining("cannot be read"),
    });
  });

  it("of Claude Code is the last branch, in the order of its parents, over a summary, without what the program has said", () => {
    const rows = [
      claudeReply("a1", "u1", { type: "text", text: "first" }),
      claudeUser("u1", null, "one"),
      claudeReply("dropped", "u1", { type: "text", text: "an answer that was taken back" }),
      claude("b", null, { type: "system", subtype: "compact_boundary", logicalParentUuid: "a1" }),
      claudeUser("s", "b", "This session is being continued", { isCompactSummary: true }),
      claudeUser("c", "s", "<command-name>/clear</command-name>"),
      claudeUser("m", "c", "Caveat", { isMeta: true }),
      claudeUser("side", "m", "of a subagent", { isSidechain: true }),
      claudeUser("u2", "m", [
        { type: "text", text: "two<system-reminder>hidden</system-reminder>" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
      ]),
    ];
    const got = taken(put("chain.jsonl", lines(...rows)));
    expect(got).toMatchObject({
      talk: ["> one", "first", "> two"],
      left: {
        ...{ summary: 1, "slash command": 1, "system message": 1, picture: 1 },
        ...{ "message of a subagent": 1, "message of another branch": 1 },
      },
    });
    expect("messages" in got && got.messages[2]?.content[1]).toMatchObject({ type: "image", mimeType: "image/png" });
  });

  it("of Codex has what the person typed where that is written down, and not turns that were rolled back", () => {
    const typed = (text: string) => ({
      ...{ timestamp: at, type: "event_msg" },
      payload: { type: "item_completed", item: { type: "UserMessage", content: [{ type: "text", text }] } },
    });
    const rows = [
      codexTalk[0],
      codexItem({
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "sent, with much around it" }],
      }),
      ...[typed("typed"), codexTalk[6], typed("a mistake"), codexTalk[9]],
      { timestamp: at, type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } },
    ];
    expect(taken(put("typed.jsonl", lines(...rows)))).toMatchObject({ talk: ["> typed", "I look."] });
  });

  it("of Gemini CLI has the last copy of a message in the place of the first, and nothing after a rewind", () => {
    const rows = [
      geminiHead,
      { id: "1", type: "user", content: "one" },
      { id: "2", type: "gemini", content: "half" },
      { id: "2", type: "gemini", content: "whole" },
      { id: "3", type: "user", content: "gone" },
      { $rewindTo: "3" },
      { $set: { lastUpdated: at } },
    ];
    expect(taken(put("rewound.jsonl", lines(...rows)))).toMatchObject({ talk: ["> one", "whole"] });
  });
});

describe("a hostile file", () => {
  const hostile: unknown[] = [Number.MAX_VALUE, "x", null, [{}, 1], { deep: { deep: [] } }];
  const templates = [
    claudeTalk,
    codexTalk,
    piTalk,
    [geminiHead, ...geminiMessages],
    qwenTalk,
    [opencodeTalk],
    tinyTalk,
  ] as const;

  it.each(
    Object.keys(importFormats).map(
      (name, index) =>
        [
          name,
          templates[["codex", "pi", "qwen", "claude", "gemini", "opencode", "chat"].indexOf(name)] ?? templates[index],
        ] as const,
    ),
  )("of %s has a value of another type at any place, and is read or refused", (_name, rows) => {
    let count = 0;
    for (const value of hostile) {
      for (const changed of everyChange([...(rows ?? [])], value)) {
        count += 1;
        const got = importFrom(put("odd.jsonl", lines(...(changed as unknown[]))));
        expect("problem" in got || got.messageCount > 0).toBe(true);
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  it("with parents in a circle, parents that are missing, and ids twice still ends", () => {
    const rows = [
      claudeUser("1", "3", "one"),
      claudeReply("2", "1", { type: "text", text: "two" }),
      claudeUser("3", "2", "three"),
    ];
    expect(taken(put("circle.jsonl", lines(...rows)))).toMatchObject({ talk: ["> one", "two", "> three"] });
    expect(taken(put("self.jsonl", lines(claudeUser("1", "1", "me"))))).toMatchObject({ talk: ["> me"] });
    expect(taken(put("orphan.jsonl", lines(claudeUser("1", "nobody", "me"))))).toMatchObject({ talk: ["> me"] });
  });

  it("with broken lines is read without them, and they are counted", () => {
    const text = `${lines(...claudeTalk)}{"torn": \n[1]\n\u0000\u0001\n\n"x"\n`;
    expect(taken(put("torn.jsonl", text))).toMatchObject({ left: { "line that cannot be read": 4 } });
  });

  it.each([
    ["empty", ""],
    ["no JSON", "hello\nworld\n"],
    ["JSON of something else", '{"name":"package","version":"1.0.0"}\n'],
    ["binary", Buffer.from([0, 255, 254, 10, 0, 7])],
    ["a list", "[1,2,3]"],
    ["deep", `${"[".repeat(100_000)}`],
  ])("that is %s is refused with its name", (_name, content) => {
    expect(importFrom(put("bad.jsonl", content))).toMatchObject({ problem: expect.stringContaining("bad.jsonl") });
  });

  it("with a value nested too deeply is read without it", () => {
    const deep = claudeReply("deep", "a3", { type: "tool_use", id: "t", name: "Bash", input: "DEEP" });
    const value = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;
    const text = lines(...claudeTalk, deep).replace('"DEEP"', value);
    expect(taken(put("deep.jsonl", text))).toMatchObject({ left: { "line that cannot be read": 1 } });
  });

  it("that is one document larger than memory should hold is refused with its size, in lines or not", () => {
    const messages = Array.from({ length: 70 }, (_, id) => ({
      id: `${id}`,
      type: "user",
      content: "x".repeat(1024 * 1024),
    }));
    for (const indent of [undefined, 1])
      expect(importFrom(put("large.json", JSON.stringify({ ...geminiHead, messages }, null, indent)))).toMatchObject({
        problem: expect.stringMatching(/large\.json is one document of 73\.4 MB, and only 64(?:\.0)? MB/),
      });
    const medium = { ...geminiHead, messages: messages.slice(0, 40) };
    expect(importFrom(put("medium.json", JSON.stringify(medium)))).toMatchObject({ messageCount: 40 });
  });

  it("that is not there, or no file, is refused", () => {
    expect(importFrom(join(home, "absent"))).toMatchObject({ problem: expect.stringContaining("absent") });
    expect(importFrom(home)).toMatchObject({ problem: expect.stringContaining(home) });
  });

  it("with a result of a megabyte keeps its beginning", () => {
    const rows = claudeTalk.map((row) => JSON.parse(JSON.stringify(row).replaceAll("a.ts", "long ".repeat(200_000))));
    const got = taken(put("long.jsonl", lines(...rows)));
    expect(got).toMatchObject({ shortened: 1 });
  });
});

/** The rows with one value replaced, for each value in turn. */
function* everyChange(value: unknown, other: unknown): Generator<unknown, void> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inside] of Object.entries(value)) {
    const changed = (next: unknown) =>
      Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next };
    yield changed(other);
    for (const deeper of everyChange(inside, other)) yield changed(deeper);
  }
}

describe("the usual places", () => {
  it("list what there is, newest first, with titles", () => {
    const own = mkdtempSync(join(home, "own-"));
    const name = own.slice(home.length + 1);
    put(`${name}/.claude/projects/-project/a.jsonl`, lines(...claudeTalk));
    put(`${name}/.claude/projects/-project/notes.txt`, "no session");
    put(`${name}/.codex/sessions/2026/11/20/rollout-1.jsonl`, lines(...codexTalk));
    put(`${name}/.codex/sessions/2026/11/20/other.jsonl`, lines(...codexTalk));
    put(`${name}/.pi/agent/sessions/--project--/a.jsonl`, lines(...piTalk));
    put(`${name}/.gemini/tmp/abc/chats/session-1.json`, "{}");
    put(`${name}/.qwen/projects/-project/chats/a.jsonl`, lines(...qwenTalk));
    for (const from of ["claude", "codex", "pi", "gemini", "qwen"] as const)
      expect([from, findImports(own, from).length]).toEqual([from, 1]);
    expect(findImports(own, "chat")).toEqual([]);
    expect(findImports(own, "opencode")).toEqual([]);
    const [found] = findImports(own, "claude");
    expect(describeImport(found?.path ?? "")).toEqual({ title: "The look", cwd: "/project" });
    const [rollout] = findImports(own, "codex");
    expect(describeImport(rollout?.path ?? "")).toEqual({ title: "what is here?", cwd: "/project" });
    const told = { id: "1", type: "user", content: "<session_context>\nabout the folder</session_context>" };
    expect(describeImport(put(`${name}/empty.jsonl`, lines(geminiHead, told)))).toBeUndefined();
    expect(describeImport(put(`${name}/odd.jsonl`, "no session\n"))).toEqual({});
  });
});

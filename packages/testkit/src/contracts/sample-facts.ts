// A fact of each kind, as logs may have to store them.
import { type Fact, type FactKind, ROOT_AGENT } from "@harness/protocol";

/**
 * Text that has broken stores before: line ends of all kinds, NUL, emoji, a lone surrogate, quotes, and something that
 * looks like one of our lines.
 */
export const hardText = 'a\nb\r\nc\u2028d\0e 🙂 \ud800 "q" \\ {"seq":1,"at":"x"},"crc":"00000000"}\t';

const failure = { kind: "network", message: "The line went dead.", retryAfterMs: 10 } as const;

const permission = {
  permissionId: "p1",
  agentId: ROOT_AGENT,
  toolCallId: "c1",
  tool: "bash",
  title: "Run npm test",
  reason: "It runs a command.",
  risk: "medium" as const,
  effects: [{ kind: "run" as const, command: "npm test", cwd: "/project" }],
  preview: [{ type: "text" as const, text: "npm test" }],
  options: [{ optionId: "once", name: "Once", kind: "allow_once" as const }],
};

/** One of each kind; a new row in the table of facts is a compile error here. */
export const sampleFacts: { [K in FactKind]: Extract<Fact, { sessionUpdate: K }> } = {
  user_message: {
    sessionUpdate: "user_message",
    messageId: "m1",
    promptId: "prompt1",
    content: [
      { type: "text", text: hardText },
      { type: "image", mimeType: "image/png", data: "aGk=" },
    ],
    origin: "user",
  },
  agent_message: {
    sessionUpdate: "agent_message",
    messageId: "m2",
    parts: [
      { type: "thinking", text: "Hm.", signature: "s", vendorData: { deep: [1, null, "x"] } },
      { type: "text", text: hardText },
      { type: "tool_call", toolCallId: "c1", name: "bash", input: { command: "npm test", update: { seq: 1 } } },
    ],
    stop: "tool_calls",
    usage: { inputTokens: 10, outputTokens: 2 },
    provider: "local",
    model: "small-model",
  },
  early_call: {
    sessionUpdate: "early_call",
    messageId: "m2",
    call: { type: "tool_call", toolCallId: "c1", name: "bash", input: { command: "npm test" } },
    provider: "local",
    model: "small-model",
  },
  tool_call_update: {
    sessionUpdate: "tool_call_update",
    toolCallId: "c1",
    status: "completed",
    name: "bash",
    title: "npm test",
    outcome: { status: "ok", text: hardText, blocks: [{ type: "text", text: "done" }], durationMs: 12 },
  },
  state_update: { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", error: failure },
  session_info_update: { sessionUpdate: "session_info_update", title: "Repair the Tests" },
  folder_update: { sessionUpdate: "folder_update", cwd: "/project", from: "/work" },
  archive_update: { sessionUpdate: "archive_update", archived: false },
  config_option_update: {
    sessionUpdate: "config_option_update",
    config: { provider: "local", model: "small-model" },
    reason: "asked",
  },
  compaction_update: {
    sessionUpdate: "compaction_update",
    compactionId: "k1",
    reason: "auto",
    summary: "So far so good.",
    keepFromSeq: 2,
    tokensBefore: 900,
    tokensAfter: 90,
  },
  context_update: {
    sessionUpdate: "context_update",
    reason: "threshold",
    title: "Older results are shorter.",
    shortened: [{ toolCallId: "c1", head: 4, tail: 2, note: hardText, withoutPictures: true }],
    tokensBefore: 900,
    tokensAfter: 90,
  },
  notice: { sessionUpdate: "notice", severity: "info", title: "Look", description: "Here" },
  main_agent_update: {
    sessionUpdate: "main_agent_update",
    name: "reviewer",
    mode: "planning",
    permissionMode: "deny",
  },
  subagent_update: { sessionUpdate: "subagent_update", childAgentId: "a1", task: "Search", state: "running" },
  pin_update: {
    sessionUpdate: "pin_update",
    files: [{ path: "/project/a.ts", lines: { first: 1, last: 40 } }, { path: "/project/b b.md" }],
    seen: [{ path: "/project/b b.md", how: "read", sizeBytes: 3, sha256: "ab".repeat(32) }],
  },
  todo_update: {
    sessionUpdate: "todo_update",
    todos: [{ id: "todo_1", text: hardText, status: "in_progress" }],
  },
  goal_update: {
    sessionUpdate: "goal_update",
    goal: hardText,
    state: "paused",
    budget: { rounds: 20, usd: 1.5 },
    rounds: 2,
    since: { tokens: 12, usd: 0.25, unpricedRequests: 0 },
    reason: hardText,
    usage: { inputTokens: 10, outputTokens: 2 },
    cost: { usd: 0.5, unpricedRequests: 0 },
    provider: "local",
    model: "small-model",
  },
  skill_update: {
    sessionUpdate: "skill_update",
    skill: { name: "pdf", path: "/home/me/.claude/skills/pdf/SKILL.md", text: hardText },
    state: "active",
    by: "person",
  },
  inbox_update: { sessionUpdate: "inbox_update", messageId: "m9", state: "queued", fromAgentId: "a1", text: "Look." },
  process_update: {
    sessionUpdate: "process_update",
    processId: "p1",
    command: "npm run dev",
    state: "exited",
    pid: 4711,
    outputPath: "/blobs/x.txt",
    kept: false,
    exitCode: 1,
    lastLines: hardText,
  },
  repair: {
    sessionUpdate: "repair",
    messageId: "m2",
    what: "tool_name",
    toolCallId: "c1",
    detail: "`Bash` was taken as `bash`.",
  },
  queue_update: {
    sessionUpdate: "queue_update",
    added: [{ promptId: "q", content: [{ type: "text", text: "next" }] }],
    removed: [],
  },
  retry: { sessionUpdate: "retry", messageId: "m2", attempt: 1, maxAttempts: 5, delayMs: 200, error: failure },
  checkpoint: { sessionUpdate: "checkpoint", checkpointId: "k-1", reason: "turn", leftOut: "1 file over 10 MB (big)" },
  turn_changes: {
    sessionUpdate: "turn_changes",
    before: "k-1",
    after: "k-2",
    files: [{ path: "src/a \n.ts", change: "modify", added: 3, removed: 1 }],
    moreFiles: 0,
    added: 3,
    removed: 1,
  },
  rewind_update: {
    sessionUpdate: "rewind_update",
    rewindId: "w1",
    kind: "rewind",
    turnIds: ["t1"],
    before: "k-2",
    after: "k-1",
    files: [
      { path: "src/a \n.ts", outcome: "restored" },
      { path: "b.ts", outcome: "kept", why: "it was changed since" },
    ],
    fromSeq: 1,
  },
  staged_update: {
    sessionUpdate: "staged_update",
    files: [{ path: "/w/a.ts", base: null, content: "/s/blobs/a.txt", standing: "waiting" }],
  },
  permission_requested: { sessionUpdate: "permission_requested", permission },
  permission_resolved: {
    sessionUpdate: "permission_resolved",
    permissionId: "p1",
    toolCallId: "c1",
    outcome: { outcome: "selected", optionId: "once", feedback: "go on" },
    by: "window",
    reason: "answered",
  },
};

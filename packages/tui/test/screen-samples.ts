// For tests: a window in each of its states, drawn.
import { setupOptions } from "@harness/client";
import {
  applyUpdate,
  fold,
  type Permission,
  type RequestStatus,
  type StoredFact,
  settings as settingTable,
} from "@harness/protocol";
import { helpTables } from "../src/app/docs.ts";
import { TextBuffer } from "../src/input/index.ts";
import { emptyHistory, type HistoryState } from "../src/screens/history/state.ts";
import { emptyKeys, type KeysState } from "../src/screens/settings/credentials-state.ts";
import { emptySettings, type SettingsState } from "../src/screens/settings/state.ts";
import { type AppState, initialState } from "../src/state/app-state.ts";
import { emptyComposer, withBuffer } from "../src/state/composer.ts";
import { permissionDialog, questionDialog } from "../src/state/dialogs.ts";
import { createStore } from "../src/state/store.ts";
import { textOfRow } from "../src/text/style.ts";
import { painterOf } from "./painter.ts";
import { bareProviders } from "./provider-samples.ts";

const at = "2026-11-21T14:30:22.000Z";
const wallMs = Date.parse("2026-11-21T15:30:22.000Z");

export const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "c2",
  tool: "bash",
  title: "bash npm test",
  reason: "runs a command",
  risk: "medium",
  effects: [{ kind: "run", command: "npm test", cwd: "/work/demo" }],
  preview: [{ type: "terminal", command: "npm test", output: "", exitCode: null, durationMs: 0 }],
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    {
      optionId: "session",
      name: "Allow for this session",
      kind: "allow_session",
      covers: "exactly this command",
    },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ],
};

const facts: StoredFact["update"][] = [
  {
    sessionUpdate: "user_message",
    messageId: "m1",
    origin: "user",
    content: [{ type: "text", text: "fix the test 日本" }],
  },
  { sessionUpdate: "state_update", state: "running" },
  {
    sessionUpdate: "agent_message",
    messageId: "m2",
    parts: [
      { type: "thinking", text: "I look first." },
      { type: "text", text: "Let me run the tests." },
      { type: "tool_call", toolCallId: "c2", name: "bash", input: { command: "npm test" } },
    ],
    stop: "tool_calls",
    provider: "ollama",
    model: "qwen3-coder",
  },
  { sessionUpdate: "tool_call_update", toolCallId: "c2", name: "bash", title: "bash npm test", status: "pending" },
];

export function session(...more: StoredFact["update"][]) {
  return fold(
    "20261121-143022-x7f3",
    [...facts, ...more].map((update, index) => ({ seq: index + 1, at, agentId: "main", update })),
  );
}

/** A waiting request after a reply that was repaired. */
function waiting(status: Pick<RequestStatus, "phase"> & Partial<RequestStatus>) {
  const state = session(
    { sessionUpdate: "repair", messageId: "m2", what: "text_call", detail: "The call of bash came as text." },
    { sessionUpdate: "repair", messageId: "m2", what: "arguments", detail: "Arguments: a comma was left out." },
  );
  const update = { sessionUpdate: "request_status" as const, messageId: "m3", ...status };
  applyUpdate(state, { sessionId: state.sessionId, agentId: "main", update });
  return state;
}

export const base: Partial<AppState> & Pick<AppState, "hud"> = {
  hud: {
    git: { branch: "main", added: 12, removed: 3, changedFiles: 2 },
    context: { usedTokens: 4000, windowTokens: 32768, windowSource: "server" },
    provider: "ollama",
    model: "qwen3-coder",
    permissionMode: "default",
    agentsRunning: 0,
    queued: 0,
  },
  link: { status: "ready" },
};

/** The rows of a window of this size, its text, and the position of the cursor. */
export function frameOf(size: { columns: number; rows: number }, changes: Partial<AppState>) {
  const state = { ...initialState({ cwd: "/work/demo", version: "1.2.3", size }), ...base, ...changes };
  const painter = painterOf(createStore(state), { wallMs });
  const { rows, cursor } = painter.draw();
  painter.close();
  const lines = rows.map((each) => textOfRow(each).trimEnd());
  return { lines, text: lines.join("\n"), cursor };
}

export const summary = (sessionId: string, preview: string, changes = {}) => ({
  sessionId,
  cwd: "/work/demo",
  preview,
  createdAt: at,
  updatedAt: at,
  turns: 2,
  subagents: 0,
  state: "stored" as const,
  ...changes,
});
export const typed = (text: string) => withBuffer(emptyComposer, emptyComposer.buffer.insert(text));
const recent = [summary("s1", "fix the parser"), summary("s2", "x", { title: "日本語のタイトル" })];
const setting = (key: "model" | "max_turns" | "permission_mode", changes = {}) => ({
  key,
  title: settingTable[key].title,
  group: settingTable[key].group,
  takesEffect: settingTable[key].takesEffect,
  doc: `What ${key} does.`,
  type: "text" as const,
  value: "",
  default: "",
  source: "default" as const,
  ...changes,
});
const views = [
  setting("model", { value: "qwen3-coder", source: "user" }),
  setting("permission_mode", { type: "choice", value: "default", default: "default", choices: ["default", "plan"] }),
  setting("max_turns", { type: "number", value: 100, default: 100, source: "env", overriddenBy: "HARNESS_MAX_TURNS" }),
];

const sum = (requests: number, usd: number, unpricedRequests = 0) => ({
  requests,
  usage: { inputTokens: 45_200, cacheReadTokens: 40_000, outputTokens: 3100 },
  cost: { usd, unpricedRequests },
});
const probe = (title: string, outcome: "passed" | "failed" | "skipped", detail = "") => ({
  id: title,
  title,
  outcome,
  detail,
  durationMs: 1234,
});
const vendor = (id: string, name: string, changes = {}) => ({
  id,
  name,
  local: false,
  ready: false,
  detail: `Set ${id.toUpperCase()}_API_KEY, or: harness auth set ${id}.`,
  keyEnv: `${id.toUpperCase()}_API_KEY`,
  ...changes,
});
const keys = {
  ...emptyKeys,
  providers: [
    vendor("openai", "OpenAI", { ready: true, detail: "https://api.openai.com/v1" }),
    vendor("groq", "Groq"),
    vendor("chatgpt", "ChatGPT", { login: true, detail: "Log in with: harness auth login chatgpt." }),
  ],
  credentials: [
    {
      provider: "openai",
      name: "OpenAI",
      kind: "apiKey" as const,
      masked: "sk-a…wxyz",
      source: "env" as const,
      from: "OPENAI_API_KEY",
    },
    {
      provider: "openai",
      name: "OpenAI",
      kind: "apiKey" as const,
      masked: "sk-b…1234",
      source: "keyring" as const,
      from: "the system's keyring",
      unused: true,
    },
  ],
};
const login = {
  loginId: "l1",
  url: `https://auth.example.com/oauth/authorize?response_type=code&client_id=${"x".repeat(90)}&state=abc`,
  paste: "paste the whole address that the browser shows at the end",
  redirect: "http://localhost:1455/auth/callback",
};

const inSettings = (settings: Partial<SettingsState>, keys: KeysState = emptyKeys): Partial<AppState> => ({
  screen: "settings",
  slices: { settings: { settings: { ...emptySettings, views, ...settings }, keys } },
});
const inHistory = (history: Partial<HistoryState>): Partial<AppState> => ({
  screen: "history",
  slices: { history: { ...emptyHistory, ...history } },
});

/** States of the window, by name. */
export const shownScreens: Record<string, Partial<AppState>> = {
  home: { slices: { home: { waiting: [], recent, marked: 0 } } },
  "home without a model": {
    hud: {
      permissionMode: "default",
      agentsRunning: 0,
      queued: 0,
      problem: "No model is set up: there is no key, no address, and no local server that answers.",
    },
    slices: { home: { waiting: [], recent: [], marked: undefined } },
    providers: { views: bareProviders },
  },
  "home while a local server is waited for": {
    hud: { permissionMode: "default", agentsRunning: 0, queued: 0 },
    slices: {
      home: {
        waiting: [{ provider: "ollama", name: "Ollama", address: "http://127.0.0.1:11434" }],
        recent: [],
        marked: undefined,
      },
    },
  },
  chat: {
    screen: "chat",
    session: session(),
    turnSinceMs: 0,
    composer: typed("and then\nsome more"),
    outgoing: [{ promptId: "q1", text: "what next", delivery: "queue", agentId: "main" }],
  },
  "chat with a permission": {
    screen: "chat",
    session: session({ sessionUpdate: "state_update", state: "requires_action" }),
    turnSinceMs: 0,
    dialogs: [
      { ...permissionDialog("20261121-143022-x7f3", permission), armed: true },
      permissionDialog("x", { ...permission, permissionId: "p2" }),
    ],
  },
  "chat with a question": {
    screen: "chat",
    session: session(),
    dialogs: [
      {
        ...questionDialog({
          sessionId: "20261121-143022-x7f3",
          elicitationId: "e1",
          agentId: "main",
          message: "Which of the two?",
          options: [{ optionId: "a", name: "The first" }],
          freeText: true,
        }),
        armed: true,
        typed: TextBuffer.of("neither"),
      },
    ],
  },
  "chat after a failure": {
    screen: "chat",
    session: session({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "error",
      error: { kind: "network", message: "The model does not answer." },
    }),
  },
  "chat that waits for a slot, after a repair": {
    screen: "chat",
    turnSinceMs: 0,
    request: { key: "m3 queued", sinceMs: 57_000 },
    session: waiting({ phase: "queued", ahead: 1, slots: 2 }),
    hud: {
      ...base.hud,
      warning: "gpt-9 is gone: qwen3-coder is used.",
      permissionMode: "default",
      agentsRunning: 0,
      queued: 0,
      cost: { usd: 0.12, unpricedRequests: 1 },
      prefix: { kept: 200, of: 1000, break: { section: "tools", offset: 12, cause: "the list of tools changed" } },
    },
  },
  "chat that is read, cut by the server": {
    screen: "chat",
    turnSinceMs: 0,
    request: { key: "m3 prefill", sinceMs: 57_000 },
    session: waiting({ phase: "prefill", doneTokens: 4182, totalTokens: 12_300 }),
    hud: {
      ...base.hud,
      permissionMode: "default",
      agentsRunning: 0,
      queued: 0,
      truncated: { sentTokens: 11_300, readTokens: 4096 },
    },
  },
  "settings: keys": inSettings({ selected: 1 }, keys),
  "settings: a key being typed": inSettings(
    { selected: 2 },
    { ...keys, work: { kind: "typing", provider: "groq", name: "Groq", length: 20 } },
  ),
  "settings: a login": inSettings(
    { selected: 3 },
    {
      ...keys,
      message: { severity: "error", text: "That is not the address of this login." },
      work: { kind: "login", provider: "chatgpt", name: "ChatGPT", login, pasted: TextBuffer.of("http://local") },
    },
  ),
  usage: {
    overlay: {
      kind: "usage",
      scroll: 0,
      usage: {
        day: "2026-11-21",
        session: sum(3, 0.12, 1),
        today: sum(12, 1.5),
        byModel: [
          { provider: "openrouter", model: "anthropic/claude-sonnet-4", ...sum(4, 1.5) },
          { provider: "new", model: "one", ...sum(1, 0, 1) },
          { provider: "ollama", model: "qwen3-coder", ...sum(7, 0) },
        ],
      },
    },
  },
  doctor: {
    overlay: {
      kind: "doctor",
      scroll: 0,
      label: "ollama/qwen3-coder",
      probes: [
        probe("One tool call", "passed"),
        probe("Two calls at once", "failed", "It made one call."),
        probe("Thinking", "skipped"),
      ],
      of: 3,
      running: false,
      capabilities: {
        provider: "ollama",
        model: "qwen3-coder",
        address: "http://localhost:11434",
        testedAt: at,
        harnessVersion: "1.2.3",
        toolMode: "native",
        parallelCalls: false,
        streamsArguments: true,
        thinking: "none",
        windowTokens: 32_768,
        probes: [],
      },
    },
  },
  settings: inSettings({
    path: "/home/u/settings.json",
    selected: 2,
    editing: TextBuffer.of("20"),
    error: { key: "max_turns", text: "Too low." },
  }),
  history: inHistory({
    sessions: recent,
    total: recent.length,
    preview: {
      sessionId: "s1",
      agentId: "main",
      at: undefined,
      parts: [
        { who: "user", text: "fix the parser", seq: 1 },
        { who: "agent", text: "Done.\nAll green.", seq: 2 },
      ],
    },
  }),
  help: { overlay: { kind: "help", scroll: 0, tables: helpTables({ serverCommands: [] }) } },
  models: {
    overlay: {
      kind: "models",
      models: [
        {
          provider: "ollama",
          model: "qwen3-coder",
          windowTokens: 32768,
          loaded: true,
          price: { input: 0, output: 0 },
          abilities: { tools: true, images: false, thinking: true },
        },
        { provider: "openai", model: "gpt", windowTokens: 400_000, price: { input: 1.25, output: 10 } },
        { provider: "new", model: "one" },
      ],
      options: setupOptions(bareProviders, { localOnly: false }),
      page: undefined,
      problems: ["LM Studio does not answer."],
      filter: "",
      selected: 0,
    },
  },
};

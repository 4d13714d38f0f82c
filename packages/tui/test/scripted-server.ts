// For tests: a server that answers from a table, a manual clock, and a window's actions on top of them.

import type { ConnectServer, ServerConnection, WindowRequest } from "@harness/client";
import type { EditedText } from "@harness/client/actions";
import { protocolError, type ServerMethods, type SessionUpdate } from "@harness/protocol";
import type { Transcript } from "../src/app/transcript-scope.ts";
import { createWindowController, type WindowController } from "../src/app/window-controller.ts";
import type { PictureDeps } from "../src/attachments/picture-controller.ts";
import { type InputEvent, InputParser } from "../src/input/index.ts";
import { initialState } from "../src/state/app-state.ts";
import type { WindowClock } from "../src/state/clock.ts";
import { frontDialog } from "../src/state/selectors.ts";
import { createStore, type Store } from "../src/state/store.ts";
import { lineEdited } from "../src/widgets/line-edits.ts";
import { isTooSmall } from "../src/window/first-frame.ts";
import { mountedIn } from "./mounted-scopes.ts";

type Method = keyof ServerMethods & string;
type ScriptedCall = { readonly method: Method; readonly params: Record<string, unknown> };
type Answer = (params: Record<string, unknown>, server: ScriptedServer, signal?: AbortSignal) => unknown;

const now = "2026-11-21T14:30:22.000Z";

export function summaryOf(sessionId: string, changes: Record<string, unknown> = {}) {
  const times = { createdAt: now, updatedAt: now };
  return {
    sessionId,
    cwd: "/work",
    preview: `about ${sessionId}`,
    ...times,
    turns: 1,
    subagents: 0,
    state: "stored",
    ...changes,
  };
}

const usual: Record<string, Answer> = {
  "session/new": () => ({ session: summaryOf("s1", { state: "idle" }), config: {}, seq: 0 }),
  "session/resume": ({ sessionId }) => ({ session: summaryOf(String(sessionId)), config: {}, seq: 0 }),
  "session/prompt": ({ promptId }) => ({ promptId, disposition: "started" }),
  "session/list": () => ({ sessions: [], total: 0 }),
  "undo/hint": () => ({ isDue: false }),
  "session/moved": () => ({ sessions: [] }),
  "session/history": () => ({ events: [], more: false }),
  "session/unqueue": () => ({ removed: true }),
  "providers/list": () => ({ providers: [], selected: { provider: "ollama", model: "qwen3-coder" } }),
  "models/list": () => ({ models: [], problems: [] }),
  "commands/list": () => ({
    commands: [
      { name: "compact", description: "Summarise older messages", needsSession: true },
      { name: "egress", description: "Requests of harness", needsSession: false },
    ],
    unused: [],
  }),
  "command/run": () => ({ text: "done" }),
  "prompts/list": () => ({ prompts: [], problems: [] }),
  "prompts/add": () => ({ kept: true }),
  "files/search": () => ({ paths: ["src/main.ts", "src/"] }),
  "keys/get": () => ({ path: "/home/keys.json", keys: {}, problems: [] }),
  "hud/get": () => ({ permissionMode: "default", agentsRunning: 0, queued: 0, model: "qwen3-coder" }),
  "auth/list": () => ({ credentials: [], problems: [] }),
  "settings/get": () => ({ settings: [], path: "/home/settings.json", version: "1", problems: [] }),
  "trust/get": () => ({ root: "/work", state: "nothing", items: [], hash: "" }),
  "settings/set": () => ({ version: "2", settings: [] }),
};

class ScriptedServer {
  readonly calls: ScriptedCall[] = [];
  readonly answers: Record<string, Answer> = { ...usual };
  /** How many connections were made; the next ones fail while `broken`. */
  connections = 0;
  broken = false;
  closed = 0;
  listeners: Parameters<ConnectServer>[0] | undefined;

  readonly connect: ConnectServer = async (listeners) => {
    this.connections += 1;
    if (this.broken) throw new Error("no such program");
    this.listeners = listeners;
    const alive = this.connections;
    const client: ServerConnection = {
      call: async (method, params, { signal } = {}) => {
        if (alive !== this.connections || !this.listeners) throw protocolError("closed", "The connection has ended.");
        this.calls.push({ method, params: params as Record<string, unknown> });
        // The table's answers have the shape of the method that names them; the compiler cannot see that.
        return (await this.answers[method]?.(params as Record<string, unknown>, this, signal)) as never;
      },
      close: async () => {
        this.closed += 1;
      },
    };
    return client;
  };

  update(sessionId: string, seq: number | undefined, update: SessionUpdate["update"], agentId = "main"): void {
    this.listeners?.onUpdate({ sessionId, agentId, update, ...(seq === undefined ? {} : { seq, at: now }) });
  }

  lose(reason = "it was killed by SIGKILL"): void {
    const { listeners } = this;
    this.listeners = undefined;
    listeners?.onLost(reason);
  }

  paramsOf(method: Method): Record<string, unknown>[] {
    return this.calls.filter((call) => call.method === method).map(({ params }) => params);
  }
}

class ManualClock implements WindowClock {
  #now = 1000;
  #timers: { due: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return Date.parse(now) + this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { due: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      if (!next) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = until;
  }
}

export type TestWindow = {
  store: Store;
  controller: WindowController;
  server: ScriptedServer;
  clock: ManualClock;
  /** Exit codes of the window. */
  left: number[];
  scrolled: string[];
  copied: string[];
  /** Whether the terminal accepts frames, and reports it; otherwise nothing is shown. */
  terminal: { reads: boolean; answers: boolean; hasShiftEnter: boolean };
  /** The key scopes that are mounted. */
  tree: { mounted: typeof mountedIn };
  /** Bytes as a terminal sends them, in one read; a frame follows. */
  send(bytes: string): void;
  event(event: InputEvent): void;
};

export const ESCAPE = "\u001b";
export const CTRL_C = "\u0003";

/** The actions of a window on a scripted server. `request` overrides how it is started. */
export function testWindow(
  request: Partial<WindowRequest> = {},
  pictures: Partial<PictureDeps> = {},
  edit = (text: string): EditedText => ({ text }),
  transcript: Partial<Transcript> = {},
): TestWindow {
  const size = { columns: 80, rows: 24 };
  const store = createStore(initialState({ cwd: "/work", version: "1.2.3", size }));
  const clock = new ManualClock();
  const server = new ScriptedServer();
  const left: number[] = [];
  const scrolled: string[] = [];
  const copied: string[] = [];
  const record = (what: string) => () => void scrolled.push(what);
  let ids = 0;
  const controller = createWindowController({
    request: {
      cwd: "/work",
      isFolderNamed: false,
      config: {},
      rules: { allow: [], deny: [] },
      additionalDirectories: [],
      fork: false,
      mcp: { files: [], strict: false },
      maxTurns: undefined,
      budget: undefined,
      fallbackModels: undefined,
      customInstructions: undefined,
      open: { how: "new" },
      version: "1.2.3",
      prompt: undefined,
      ...request,
    },
    store,
    clock,
    server: { connect: server.connect, newId: () => `id${++ids}` },
    lines: { edit: lineEdited, keepsOpen: () => false },
    transcript: {
      scrollBy: (rows) => void scrolled.push(`by ${rows}`),
      page: (by) => void scrolled.push(`page ${by}`),
      toStart: record("start"),
      toEnd: record("end"),
      foldAll: record("fold"),
      foldNewest: record("fold newest"),
      reveal: () => undefined,
      mark: () => undefined,
      onceShown: (_, act) => act(),
      ...transcript,
    },
    window: {
      mountedScopes: () => tree.mounted(store.get()),
      acknowledge: (processed) => {
        if (terminal.answers) processed();
      },
      tellsShiftEnter: async () => terminal.hasShiftEnter,
      clipboard: { isRemote: false, readTerminalClipboard: async () => undefined, ...pictures },
      leave: (code) => void left.push(code),
      suspend: record("suspend"),
      redraw: record("redraw"),
      marking: { start: record("mark"), take: () => false },
      edit: async (text) => edit(text),
      copy: (text) => {
        copied.push(text);
        return "Copied.";
      },
      showText: async (text) => void copied.push(text),
    },
  });
  const tree: TestWindow["tree"] = { mounted: mountedIn };
  const terminal = { reads: true, answers: true, hasShiftEnter: false };
  let inRead = false;
  const draw = (): void => {
    if (!terminal.reads || inRead) return;
    const { size, trust } = store.get();
    const asked = isTooSmall(size)
      ? { trust: undefined, dialog: undefined }
      : { trust, dialog: frontDialog(store.get()) };
    controller.drawn({ size, ...asked });
  };
  store.subscribe(draw);
  const event = (each: InputEvent): void => controller.keyboard.take(each);
  // A lone Escape counts as one if nothing follows; here nothing ever follows within one call.
  const timer = { set: (_ms: number, expired: () => void) => (pending = expired), clear: () => (pending = undefined) };
  let pending: (() => void) | undefined;
  const parser = new InputParser({ onEvent: event, timer });
  const send = (bytes: string): void => {
    inRead = true;
    parser.push(bytes);
    pending?.();
    pending = undefined;
    inRead = false;
    draw();
  };
  return { terminal, tree, store, controller, server, clock, left, scrolled, copied, send, event };
}

/** Everything that is already on its way has arrived. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
}

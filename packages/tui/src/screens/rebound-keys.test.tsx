import type { StoredFact } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { subagent, worktreeIn } from "../../test/agent-samples.ts";
import { painterOf } from "../../test/painter.ts";
import { frameOf, permission, session, shownScreens, typed } from "../../test/screen-samples.ts";
import { TextBuffer } from "../input/index.ts";
import { keyTables } from "../keymap/key-tables.ts";
import { Keymap, usualKeymap } from "../keymap/keymap.ts";
import { agentLines } from "../overlays/agents/agent-lines.ts";
import { type AppState, initialState } from "../state/app-state.ts";
import { permissionDialog } from "../state/dialogs.ts";
import { searchOf } from "../state/prompt-search.ts";
import { createStore } from "../state/store.ts";
import { trustDialog } from "../state/trust-dialog.ts";
import { textOfRow } from "../text/style.ts";
import { emptyHistory } from "./history/state.ts";

/** Every action bound to a key that no default uses, each to a different one. */
const modifiers = ["ctrl", "alt", "meta", "ctrl+alt", "ctrl+shift", "alt+shift", "ctrl+meta", "alt+meta"];
const others = new Keymap(
  keyTables,
  Object.fromEntries(
    usualKeymap.actions.map(({ action }, at) => [action, [`${modifiers[Math.floor(at / 24)]}+f${(at % 24) + 1}`]]),
  ),
);
const none = new Keymap(keyTables, Object.fromEntries(usualKeymap.actions.map(({ action }) => [action, []])));
const OWN_KEY = /(?:(?:Ctrl|Alt|Shift|Meta)\+)+F\d+/g;
const USUAL_KEY =
  /(?:Ctrl|Alt|Shift)\+\S+|\b(?:Enter(?! an )|Esc|Tab|Space|PgUp|PgDn|Del|Backspace)\b|[↑↓←→]{2}|· (?:[b-z] \w+|a (?:apply|take))/m;

const call = (id: string, text: string): StoredFact["update"][] => [
  { sessionUpdate: "tool_call_update", toolCallId: id, name: "bash", title: `bash ${id}`, status: "in_progress" },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: id,
    name: "bash",
    title: `bash ${id}`,
    status: "completed",
    outcome: { status: "ok", text, blocks: [{ type: "text", text }], durationMs: 5 },
  },
];
const many = Array.from({ length: 90 }, (_, line) => `line ${line}`).join("\n");
const agents = () =>
  session(
    { sessionUpdate: "subagent_update", childAgentId: "agent-1", task: "look", state: "running", background: true },
    subagent("agent-2", "edit", { state: "completed", worktree: worktreeIn("open") }),
  );
const trusted = {
  root: "/work/demo",
  state: "untrusted" as const,
  hash: "abc",
  items: Array.from({ length: 30 }, (_, at) => ({ kind: "hook" as const, path: `hooks/${at}`, detail: "runs" })),
};
const process = {
  processId: "p1",
  agentId: "main",
  command: "npm run dev",
  ports: [],
  lastLine: "ready",
  state: "running" as const,
  kept: false,
  startedAt: "2026-11-21T14:30:22.000Z",
  outputPath: "/tmp/p1",
  outputBytes: 6,
};
const chat = { screen: "chat" as const, session: session() };
const hunk = { path: "/work/a.ts", change: "modify" as const, line: 1, before: "a\n", after: "b\n" };
const review = { ...permission, review: [{ ...hunk, hunkId: "1" }] };
const typing = { kind: "address" as const, field: TextBuffer.empty, busy: false };
const models = { kind: "models", models: [], options: [], problems: [], filter: "", selected: 0 } as const;

/** States with texts about keys that no other sample has. */
const more: Record<string, Partial<AppState>> = {
  "a long output": { ...chat, session: session(...call("long", many)) },
  "a compaction": {
    ...chat,
    session: session({
      sessionUpdate: "compaction_update",
      compactionId: "c",
      summary: "…",
      tokensBefore: 9_000,
      tokensAfter: 900,
      reason: "manual",
      keepFromSeq: 2,
    }),
  },
  "agents at work": { ...chat, session: agents() },
  "a second press stops agents": { ...chat, session: agents(), stopArmed: true },
  "the transcript of an agent": { ...chat, session: agents(), agentInView: "agent-1" },
  "an agent about to be stopped": { ...chat, session: agents(), agentInView: "agent-1", stopArmed: true },
  "the tree of agents": {
    ...chat,
    overlay: {
      kind: "agents",
      lines: agentLines(agents(), { canStop: true }),
      marked: "agent-2",
      asked: undefined,
      said: undefined,
      nowMs: 0,
    },
  },
  "a turn at work": { ...chat, turnSinceMs: 0 },
  "a draft that was put aside": { ...chat, composer: { ...typed(""), stashed: ["later"] } },
  "the search of messages": { ...chat, composer: { ...typed(""), search: searchOf([{ text: "one" }], "o") } },
  "the search of the conversation": {
    ...chat,
    find: { query: TextBuffer.of("x"), vim: undefined, typing: false, total: 2, at: 1, searching: false },
  },
  marking: { ...chat, marking: true },
  "a second press rewinds": { ...chat, rewindArmed: true },
  "a message at rest": { ...chat, session: session() },
  "an edit that is asked for": {
    ...chat,
    dialogs: [
      {
        ...permissionDialog("20261121-143022-x7f3", {
          ...permission,
          options: [...permission.options, { optionId: "t", name: "Allow in this turn", kind: "allow_turn" }],
        }),
        armed: true,
      },
    ],
  },
  "a draft beside a dialog": {
    ...chat,
    composer: typed("but"),
    dialogs: [{ ...permissionDialog("20261121-143022-x7f3", permission), armed: true }],
  },
  "a review": { ...chat, dialogs: [{ ...permissionDialog("20261121-143022-x7f3", review), armed: true }] },
  "the question of trust": { trust: { ...trustDialog(trusted, { asked: true }), armed: true } },
  processes: { ...chat, overlay: { kind: "processes", processes: [process], selected: 0, nowMs: 0 } },
  rewind: {
    ...chat,
    overlay: {
      kind: "rewind",
      places: [{ id: "m1", kind: "message", text: "fix", title: "fix", files: 0, added: 0, removed: 0 }],
      selected: 0,
      chosen: true,
      working: false,
    },
  },
  "no server": { link: { status: "failed", text: "The server does not start: no such program." } },
  "a list of models": { overlay: { ...models, page: undefined } },
  "a page of the list of models": { overlay: { ...models, page: typing } },
};
const all = { ...shownScreens, ...more };

/** Keys in one-line fields are fixed; so are the answers of dialogs, except for those in the keymap. */
const FIXED: Readonly<Record<string, RegExp>> = {
  "settings: a key being typed": /Enter stores it · Esc cancels/,
  "settings: a login": /Enter sends it · Esc cancels the login/,
  settings: /Enter save · Esc cancel/,
  "the search of the conversation": /· N newer/,
};

describe("with other keys", () => {
  it.each(Object.keys(all))("no sentence names a key that is not one: %s", (name) => {
    const { text } = frameOf({ columns: 200, rows: 40 }, { ...all[name], keymap: others });
    const said = text.replace(FIXED[name] ?? OWN_KEY, "").replace(OWN_KEY, "");
    expect(USUAL_KEY.exec(said.replace(/^.*[│].*$/gm, ""))?.[0]).toBeUndefined();
  });

  it.each(Object.keys(all))("sentences read well without keys: %s", (name) => {
    const { lines, text } = frameOf({ columns: 80, rows: 24 }, { ...all[name], keymap: none });
    expect(lines.length).toBe(24);
    expect(text).not.toMatch(/undefined|· +·|^ ?·(?! [A-Z@!/])|\(\)|ress +(?:again|to|\.)|: ·/m);
  });

  it("every hint in view changes at once", () => {
    const start = initialState({ cwd: "/work/demo", version: "1", size: { columns: 120, rows: 30 } });
    const store = createStore({ ...start, ...chat, session: session(...call("long", many), subagent("a-1", "look")) });
    const painter = painterOf(store);
    const text = (): string => painter.draw().rows.map(textOfRow).join("\n");
    store.note("info", (keys) => `${keys.of("chat.agents")} opens them.`);
    expect(text()).toMatch(/more lines · Ctrl\+O[\s\S]*· Ctrl\+X A opens[\s\S]*Ctrl\+X A opens them\./);
    const chosen = { "anywhere.fold": ["f2"], "chat.agents": ["ctrl+b a"] };
    store.set({ keymap: new Keymap(keyTables, chosen) });
    expect(text()).toMatch(/more lines · F2[\s\S]*· Ctrl\+B A opens[\s\S]*Ctrl\+B A opens them\./);
    store.set({ keymap: new Keymap(keyTables, { "anywhere.fold": [], "chat.agents": [] }) });
    expect(text()).toMatch(/more lines *\n/);
    expect(text()).not.toMatch(/Ctrl\+[XBO]|F2/);
    painter.close();
  });

  it("the list of sessions says what its keys do", () => {
    const slices = { history: { ...emptyHistory, sessions: [] } };
    const { text } = frameOf({ columns: 120, rows: 40 }, { screen: "history", slices, keymap: others });
    expect(text).toMatch(/F\d+ open · \S+F\d+ this folder · \S+F\d+ mark · \S+F\d+ delete · .*\S+F\d+ back/);
  });
});

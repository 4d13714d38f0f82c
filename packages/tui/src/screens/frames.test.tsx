// Every screen as the user sees it, in every size and with all, few and no colours: the cells of a terminal.
import type { Permission, StoredFact } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { VirtualScreen } from "../../../testkit/src/terminal/index.ts";
import { asking, sessionOf } from "../../test/frame.ts";
import { painterOf } from "../../test/painter.ts";
import { Painter } from "../render/painter.ts";
import { type AppState, initialState } from "../state/app-state.ts";
import { permissionDialog } from "../state/dialogs.ts";
import { createStore } from "../state/store.ts";
import type { ColourLevel } from "../text/colour-level.ts";
import { textOfRow } from "../text/style.ts";
import { stringWidth } from "../text/width.ts";
import { contrast, type Hex, rgbOf } from "../theme/contrast.ts";
import { type Theme, themeOn } from "../theme/theme.ts";
import { themes } from "../theme/themes.ts";
import { emptyHistory, type HistoryState } from "./history/state.ts";
import { emptyKeys } from "./settings/credentials-state.ts";
import { emptySettings } from "./settings/state.ts";

const at = "2026-11-21T14:30:22.000Z";
const hunks = "@@ -1,2 +1,2 @@\n export const a = 1;\n-export const total = 1;\n+export const total = 0;\n";
const diff = { type: "diff" as const, path: "src/sum.ts", change: "modify" as const, added: 1, removed: 1, hunks };
const facts: StoredFact["update"][] = [
  ...asking,
  {
    sessionUpdate: "todo_update",
    todos: [
      { id: "t1", text: "Fix the sum", status: "in_progress" },
      { id: "t2", text: "Run the tests", status: "pending" },
    ],
  },
];
const permission: Permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "c1",
  tool: "edit",
  title: "edit src/sum.ts",
  reason: "changes a file",
  risk: "medium",
  effects: [{ kind: "write", path: "/work/demo/src/sum.ts" }] as Permission["effects"],
  preview: [diff],
  options: [
    { optionId: "once", name: "Allow once", kind: "allow_once" },
    { optionId: "no", name: "Deny", kind: "reject_once" },
  ],
};
const reviewed: Permission = {
  ...permission,
  tool: "review",
  title: "review 2 changes in 2 files",
  review: [
    {
      ...{ hunkId: "1.1", path: "/work/demo/src/sum.ts", change: "modify", line: 3 },
      ...{ before: "export const total = 1;\n", after: "export const total = 0;\n", agents: ["main", "agent-1"] },
    },
    { hunkId: "2.1", path: "/work/demo/new.ts", change: "create", line: 1, before: "", after: "export {};\n" },
  ],
};
const summary = {
  ...{ sessionId: "s1", cwd: "/work/demo", preview: "fix the parser", createdAt: at, updatedAt: at },
  ...{ turns: 2, subagents: 0, state: "stored" as const },
};

const hit = { sessionId: "s7", title: "Fix the Café", folder: "/work/demo", seq: 4, agentId: "main", at };
const asked = JSON.stringify(["cafe", undefined, undefined, undefined, "current"]);
const searched: HistoryState = {
  ...emptyHistory,
  sessions: [],
  foundBy: asked,
  filter: "cafe",
  typing: true,
  passages: {
    of: asked,
    count: 70,
    pending: 0,
    hits: [
      { ...hit, kind: "message", excerpt: "make the café open" },
      { ...hit, kind: "command", seq: 5, excerpt: "npm test cafe" },
    ],
  },
  preview: { sessionId: "s7", agentId: "main", at: 4, parts: [{ who: "user", text: "make the café open", seq: 4 }] },
};

const screens: Record<string, [Partial<AppState>, RegExp[]]> = {
  Home: [
    { slices: { home: { waiting: [], recent: [summary], marked: 0 } } },
    [/qwen3/, /fix the parser/, /Ask anything/],
  ],
  "Chat with a diff on a card": [
    {
      screen: "chat",
      session: sessionOf(...facts),
      turnSinceMs: 0,
      dialogs: [{ ...permissionDialog("s1", permission), armed: true }],
    },
    [/src\/sum\.ts/, /- .*total = 1/, /\+ .*total = 0/, /Allow once/, /No, tell it/],
  ],
  "Chat with a review": [
    {
      screen: "chat",
      session: sessionOf(...facts),
      turnSinceMs: 0,
      dialogs: [{ ...permissionDialog("s1", reviewed), armed: true }],
    },
    [/› ◌ src\/sum\.ts:3 +by agent-1/, /◌ new\.ts +new file/, /3 - .*total = 1/, /3 \+ .*total = 0/, /y take/],
  ],
  "Chat with tasks": [
    { screen: "chat", session: sessionOf(...facts), turnSinceMs: 0, todosOpen: true },
    [/fix the test/, /Fix the sum/, /Run the tests/],
  ],
  Settings: [{ screen: "settings", slices: { settings: { settings: emptySettings, keys: emptyKeys } } }, [/Settings/]],
  History: [
    { screen: "history", slices: { history: { ...emptyHistory, sessions: [summary] } } },
    [/History/, /fix the parser/],
  ],
  "History with forks and marks": [
    {
      screen: "history",
      slices: {
        history: {
          ...emptyHistory,
          sessions: [{ ...summary, sessionId: "s2", parent: { sessionId: "s1", seq: 4 } }, summary],
          total: 2,
          marked: new Set(["s2"]),
          putAway: { how: "deleted", sessionIds: ["s3"] },
          said: "1 session deleted.",
        },
      },
    },
    [/✓ 1 marked · all folders · 2 sessions/, /› +▾ fix the parser/, /✓ └ fix the parser/, /Ctrl\+_ takes it back/],
  ],
  "History with a search": [
    { screen: "history", slices: { history: searched } },
    [/best 2 of 70 passages/, /Fix the Café/, /you: make the café open/, /ran: npm test cafe/, /> make the café open/],
  ],
};

const palettes: Record<string, [theme: Theme, colours: ColourLevel, background: Hex]> = {
  dark: [themeOn("dark"), "truecolor", themes.dark.palette.background],
  light: [themeOn("light"), "truecolor", themes.light.palette.background],
  "16 colours": [themeOn("dark"), "16", "#000000"],
  "no colours": [themeOn("dark"), "none", "#000000"],
};
const SIZES = [
  [80, 24],
  [120, 36],
  [200, 60],
] as const;

describe.each(Object.keys(screens))("%s", (name) => {
  it.each(Object.keys(palettes))("in %s can be read in every size", async (palette) => {
    const [changes, seen] = screens[name] ?? [{}, []];
    const [theme, colours, background] = palettes[palette] ?? [themeOn("dark"), "none", "#000000"];
    for (const [columns, rows] of SIZES) {
      const start = initialState({ cwd: "/work/demo", version: "1.2.3", size: { columns, rows } });
      const hud = {
        permissionMode: "default" as const,
        agentsRunning: 0,
        queued: 0,
        model: "qwen3",
        provider: "ollama",
      };
      const store = createStore({ ...start, link: { status: "ready" }, hud, ...changes });
      const painter = painterOf(store, { wallMs: Date.parse(at), theme });
      const frame = painter.draw();
      painter.close();
      expect(frame.rows.length).toBe(rows);
      for (const row of frame.rows) expect(stringWidth(textOfRow(row).trimEnd())).toBeLessThanOrEqual(columns);
      const bytes = new Painter({ columns, rows, theme, colours }).paint(frame);
      const screen = new VirtualScreen({ columns, rows });
      await screen.write(`\u001b[?7l${bytes}`);
      const text = screen.lines().join("\n");
      for (const each of seen) expect(text).toMatch(each);
      const cells = screen
        .cells()
        .flat()
        .filter(({ text: letter }) => /[\p{L}\p{N}]/u.test(letter));
      if (colours === "none") expect(cells.filter(({ fg, bg }) => fg ?? bg)).toEqual([]);
      if (colours === "16") expect(bytes).not.toMatch(/[34]8;[25];/);
      if (colours !== "truecolor") continue;
      const faint = cells.filter(({ fg, bg, inverse }) => {
        if (fg === undefined && bg === undefined) return false;
        const own = palette === "light" ? "#000000" : "#ffffff";
        const [front, behind] = [fg ?? own, bg ?? background] as [Hex, Hex];
        return !inverse && contrast(rgbOf(front), rgbOf(behind)) < 4.5;
      });
      expect(faint.map((cell) => `${cell.text} ${cell.fg} on ${cell.bg}`)).toEqual([]);
    }
  });
});

import type { SessionSummary } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { painterOf } from "../../../test/painter.ts";
import { bareProviders } from "../../../test/provider-samples.ts";
import { settled, testWindow } from "../../../test/scripted-server.ts";
import { usualKeymap } from "../../keymap/keymap.ts";
import { type AppState, initialState } from "../../state/app-state.ts";
import { createStore } from "../../state/store.ts";
import { textOfRow } from "../../text/style.ts";
import { homeSlice } from "./state.ts";
import { tipsAt } from "./tips.ts";

const wallMs = Date.parse("2026-11-21T15:30:22.000Z");
const hud = {
  git: { branch: "main", added: 12, removed: 3, changedFiles: 2 },
  context: { usedTokens: 0, windowTokens: 32_768, windowSource: "server" as const },
  ...{ provider: "ollama", model: "qwen3-coder", price: { input: 0, output: 0 } },
  ...{ permissionMode: "default" as const, agentsRunning: 0, queued: 0 },
};

function session(sessionId: string, preview: string, more: Partial<SessionSummary> = {}): SessionSummary {
  const times = { createdAt: "2026-11-21T10:00:00.000Z", updatedAt: "2026-11-21T13:30:00.000Z" };
  return { sessionId, cwd: "/work/demo", preview, ...times, turns: 1, subagents: 0, state: "stored", ...more };
}

const recent = [
  session("a", "fix the parser", {
    client: "window",
    answer: "All 12 tests pass.",
    changes: { added: 40, removed: 7 },
  }),
  session("b", "summarise the log", { client: "harness-run", answer: "Three errors, all of them timeouts." }),
  session("c", "hello", { updatedAt: "2026-11-01T10:00:00.000Z" }),
];
const overview = {
  instructions: [{ path: "~/.config/harness/AGENTS.md" }, { path: "AGENTS.md", untrusted: true }],
  commits: { count: 3, more: false, authors: ["Ann", "Bo"], subjects: ["Read tabs", "Fix \u001b[31mred", "Third"] },
};
const used: Partial<AppState> = {
  hud,
  providers: { views: bareProviders },
  slices: { home: { recent, marked: undefined, waiting: [], overview } },
};
const empty: Partial<AppState> = {
  hud: { ...hud, git: { ...hud.git, changedFiles: 0, added: 0, removed: 0 } },
  providers: { views: bareProviders },
  slices: { home: { recent: [], marked: undefined, waiting: [], overview: { instructions: [] } } },
};

function frameOf(columns: number, rows: number, changes: Partial<AppState>): string[] {
  const state = initialState({ cwd: "/work/demo", version: "1.2.3", size: { columns, rows } });
  const painter = painterOf(createStore({ ...state, link: { status: "ready" }, ...changes }), { wallMs });
  const lines = painter.draw().rows.map((each) => textOfRow(each).trimEnd());
  painter.close();
  return lines;
}

describe.each([
  [80, 24],
  [120, 36],
  [200, 60],
])("Home at %i×%i", (columns, rows) => {
  it.each([
    ["used", used],
    ["empty", empty],
  ] as const)("%s", (_, changes) => {
    const lines = frameOf(columns, rows, changes);
    expect(lines.length).toBe(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    // The input and the row below it do not belong to Home.
    expect(lines.slice(0, -4).join("\n")).toMatchSnapshot();
  });
});

describe("Home", () => {
  it("names a server on this machine by its address", () => {
    const local = { ...hud, provider: "openai", place: "at 127.0.0.1:8080" };
    const lines = frameOf(100, 24, { ...used, hud: local }).join("\n");
    expect(lines).toContain("qwen3-coder at 127.0.0.1:8080 · 33k context · free");
    expect(lines).not.toContain("OpenAI");
  });

  it("says that the size of the context is assumed where the server does not tell it", () => {
    const context = { usedTokens: 0, windowTokens: 8192, windowSource: "assumed" as const };
    expect(frameOf(100, 24, { ...used, hud: { ...hud, context } }).join("\n")).toContain("· 8.2k context (assumed) ·");
  });

  it("keeps its most important rows where there are few", () => {
    const lines = frameOf(60, 12, used).join("\n");
    expect(lines).toContain("qwen3-coder from Ollama");
    expect(lines).toContain("asks first");
  });

  it("shows the end of a long list once it is marked", () => {
    const many = Array.from({ length: 9 }, (_, at) => session(`s${at}`, `session ${at}`, { answer: `answer ${at}` }));
    const slices = { home: { recent: many, marked: 8, waiting: [], overview } };
    const lines = frameOf(80, 24, { ...used, slices }).join("\n");
    expect(lines).toContain("› session 8");
    expect(lines).not.toContain("session 0");
    expect(lines).toContain("Enter opens it");
  });

  it("says which session is open, and how to go back to it", () => {
    const sessions = recent.map((each) => ({ ...each, state: "idle" as const }));
    const slices = { home: { recent: sessions, marked: undefined, waiting: [], overview } };
    const state = {
      ...used,
      slices,
      session: { sessionId: "a", agents: new Map(), running: new Set(), processes: new Map(), queue: [] } as never,
    };
    const shown = frameOf(100, 24, state).join("\n");
    expect(shown).toMatch(/fix the parser +open · \+40 −7/);
    expect(shown).toMatch(/ Enter goes back to the open session\.\n\n · /);
  });

  it("looks into the folder only once that is decided, and again when it is shown", async () => {
    const window = testWindow();
    const { answers } = window.server;
    const { promise: decided, resolve: decide } = Promise.withResolvers<object>();
    answers["trust/get"] = () => decided;
    answers["session/list"] = () => ({ sessions: recent });
    answers["workspace/overview"] = () => overview;
    answers["import/offer"] = () => ({ programs: ["TinyHarness"] });
    window.controller.start();
    await settled();
    expect(window.server.paramsOf("workspace/overview")).toEqual([]);
    decide({ root: "/work", state: "nothing", items: [], hash: "" });
    await settled();
    expect(window.server.paramsOf("workspace/overview")).toEqual([{ cwd: "/work", since: recent[0]?.updatedAt }]);
    expect(homeSlice.of(window.store.get())).toMatchObject({ overview, offer: ["TinyHarness"] });
  });

  it("offers to take things over from other programs", () => {
    const offer = ["TinyHarness", "Local Harness"];
    const slices = { home: { recent, marked: undefined, waiting: [], overview, offer } };
    const row = "Import        harness import takes over the settings and sessions of TinyHarness and Local Harness";
    expect(frameOf(120, 24, { ...used, slices }).join("\n")).toContain(row);
  });

  it("has three other tips every five minutes, until it has shown all; none about what is done", () => {
    const shown = (hasInstructions: boolean, hasSessions = true) =>
      Array.from({ length: 6 }, (_, at) => tipsAt(at * 300_000, usualKeymap.names, { hasInstructions, hasSessions }));
    expect(shown(false).every((tips) => tips.length === 3)).toBe(true);
    expect(new Set(shown(false).flat()).size).toBe(18);
    expect(shown(false).flat().join()).toContain("/init");
    expect(shown(true).flat().join()).not.toContain("/init");
    expect(shown(true).flat().join()).toContain("harness -c");
    const first = shown(false, false).flat().join();
    expect(first).toContain("/theme");
    expect(first).not.toMatch(/harness -c|\/compact|\/undo|\/rewind|\/copy|you have sent/);
  });

  const begun = { ...overview, testCommand: "npm test" };
  const withStarters = { ...used, slices: { home: { recent, marked: undefined, waiting: [], overview: begun } } };

  it("proposes work that fits the folder, each with its key", () => {
    const all = frameOf(100, 30, withStarters).join("\n");
    expect(all).toContain("1 Explain this project");
    expect(all).toContain("2 Fix the failing test (npm test)");
    expect(all).toContain("3 Review 2 uncommitted files");
    const fresh = {
      home: { recent: [], marked: undefined, waiting: [], overview: { instructions: [], isEmpty: true } },
    };
    expect(frameOf(100, 30, { ...empty, slices: fresh }).join("\n")).not.toContain("Start with");
  });

  async function starting() {
    const window = testWindow();
    window.server.answers["workspace/overview"] = () => begun;
    window.server.answers["hud/get"] = () => hud;
    window.controller.start();
    await settled();
    homeSlice.change(window.store, { overview: begun });
    const draft = () => window.store.get().composer.buffer.text;
    const sent = () => window.server.paramsOf("session/prompt").map(({ prompt }) => prompt);
    return { window, draft, sent };
  }

  it("sends the message of a starter with one key, and shows it before", async () => {
    const { window, draft, sent } = await starting();
    window.send("2");
    expect([draft(), sent()]).toEqual(["Run `npm test`, and fix what fails.", []]);
    window.clock.advance(500);
    await settled();
    expect(sent()).toEqual([[{ type: "text", text: "Run `npm test`, and fix what fails." }]]);
    expect(window.store.get().screen).toBe("chat");
  });

  it.each([
    [" tests fail", "2 tests fail"],
    ["\u001b[D", "Run `npm test`, and fix what fails."],
    ["\u007f", "Run `npm test`, and fix what fails"],
  ])("sends nothing where another key follows (%j)", async (keys, left) => {
    const { window, draft, sent } = await starting();
    for (const key of ["2", ...(keys.startsWith(" ") ? keys : [keys])]) window.send(key);
    window.clock.advance(5000);
    await settled();
    expect([draft(), sent()]).toEqual([left, []]);
  });
});

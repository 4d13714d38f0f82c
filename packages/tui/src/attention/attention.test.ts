import { describe, expect, it } from "vitest";
import { type AppState, initialState } from "../state/app-state.ts";
import { permissionDialog } from "../state/dialogs.ts";
import { createStore } from "../state/store.ts";
import { Attention } from "./attention.ts";
import { notificationBytes, progress, windowTitle } from "./terminal-signals.ts";

const [OSC, END] = ["\u001b]", "\u001b\\"];

describe("the signals of a terminal", () => {
  const words = { title: "a;b", body: "say\u0007 it\u001b[2J" };
  it.each([
    [{ TERM: "xterm-kitty" }, `${OSC}99;i=harness:d=0;a,b${END}${OSC}99;i=harness:d=1:p=body;say it${END}`],
    [{ TERM_PROGRAM: "iTerm.app" }, `${OSC}9;a,b: say it${END}`],
    [{ WT_SESSION: "1" }, `${OSC}9;a,b: say it${END}`],
    [{ TERM: "foot" }, `${OSC}777;notify;a,b;say it${END}`],
    [{ TERM: "xterm-256color" }, "\u0007"],
    [{ TERM: "xterm-ghostty", SSH_TTY: "/dev/pts/1" }, `${OSC}9;a,b: say it${END}`],
    [{ TERM: "wezterm" }, `${OSC}9;a,b: say it${END}`],
    [{ LC_TERMINAL: "iTerm2" }, `${OSC}9;a,b: say it${END}`],
    [{ TERM_PROGRAM: "ghostty", ZELLIJ: "0" }, "\u0007"],
    [{ KITTY_WINDOW_ID: "1", STY: "1.pts" }, "\u0007"],
    [{ TERM: "tmux-256color", TMUX: "/tmp/x" }, `\u0007\u001bPtmux;\u001b${OSC}9;a,b: say it\u001b${END}${END}`],
  ])("call in %j by %j", (env, bytes) => {
    expect(notificationBytes("auto", env, words)).toBe(bytes);
    expect(notificationBytes("off", env, words)).toBe("");
    expect(notificationBytes("bell", env, words)).toBe("\u0007");
  });

  it.each([
    [{ TERM_PROGRAM: "ghostty" }, `${OSC}9;4;3${END}`],
    [{ ConEmuANSI: "ON" }, `${OSC}9;4;3${END}`],
    [{ TERM: "xterm-ghostty" }, `${OSC}9;4;3${END}`],
    [{ TERM_PROGRAM: "ghostty", TMUX: "x" }, ""],
    [{ TERM_PROGRAM: "ghostty", ZELLIJ: "0" }, ""],
    [{ TERM_PROGRAM: "iTerm.app" }, ""],
  ])("show progress in %j by %j", (env, bytes) => {
    expect(progress("busy", env)).toBe(bytes);
  });
});

describe("what the window says beside the screen", () => {
  const values = { notifications: "osc9", notify_after_secs: 20, window_title: true, terminal_progress: true };

  function open(settings: Partial<typeof values> = values) {
    let now = 0;
    const written: string[] = [];
    const store = createStore(initialState({ cwd: "/work/demo", version: "1", size: { columns: 80, rows: 24 } }));
    const attention = new Attention({
      store,
      clock: { now: () => now },
      env: { TERM_PROGRAM: "ghostty" },
      write: (data) => written.push(data),
      setting: (key) => settings[key],
    });
    return { attention, store, taken: () => written.splice(0), wait: (ms: number) => (now += ms) };
  }
  const session = (state: "running" | "idle"): Pick<AppState, "session"> => {
    // Only the state of its main agent matters.
    const agents = new Map([["main", { agentId: "main", state, items: [] }]]);
    return { session: { sessionId: "s", agents } } as unknown as Pick<AppState, "session">;
  };
  const turn = ({ store }: ReturnType<typeof open>, state: "running" | "idle") => store.set(session(state) as never);
  const ask = ({ store }: ReturnType<typeof open>) =>
    store.dispatch({
      type: "dialogAdded",
      dialog: permissionDialog("s", {
        permissionId: "p",
        agentId: "main",
        tool: "bash",
        title: "bash npm test",
      } as never),
    });

  it("is the folder and the state in the title, progress while a turn runs, and nothing of it once it closes", () => {
    const window = open();
    turn(window, "running");
    expect(window.taken()).toEqual([windowTitle("● demo · harness"), `${OSC}9;4;3${END}`]);
    ask(window);
    expect(window.taken()).toEqual([windowTitle("? demo · harness"), `${OSC}9;4;4;100${END}`]);
    window.attention.close();
    expect(window.taken()).toEqual([windowTitle(""), `${OSC}9;4;0${END}`]);
    window.store.dispatch({ type: "dialogRemoved", id: "p" });
    expect(window.taken()).toEqual([]);
  });

  it("is none of it while another program has the terminal, and all of it again afterwards", () => {
    const window = open({ ...values, notifications: "bell" });
    turn(window, "running");
    window.taken();
    window.attention.pause();
    window.wait(25_000);
    ask(window);
    expect(window.taken()).toEqual(["\u0007"]);
    window.attention.again();
    expect(window.taken()).toEqual([windowTitle("? demo · harness"), `${OSC}9;4;4;100${END}`]);
  });

  it("calls for an answer, and at the end of a long turn, only when nobody is there", () => {
    const call = (body: string) => `${OSC}9;harness demo: ${body}${END}`;
    const window = open({ ...values, window_title: false, terminal_progress: false });
    window.attention.take({ type: "focus", focused: true });
    turn(window, "running");
    ask(window);
    window.store.dispatch({ type: "dialogRemoved", id: "p" });
    expect(window.taken()).toEqual([]);
    window.attention.take({ type: "focus", focused: false });
    ask(window);
    expect(window.taken()).toEqual([call("Waiting for your answer: Run npm test")]);
    window.store.note("info", "x");
    window.store.dispatch({ type: "dialogRemoved", id: "p" });
    window.wait(25_000);
    turn(window, "idle");
    expect(window.taken()).toEqual([call("Finished.")]);
    turn(window, "running");
    window.wait(5_000);
    turn(window, "idle");
    expect(window.taken()).toEqual([]);
  });

  it("counts who typed just now as there, where the terminal does not say where the focus is", () => {
    const window = open({ ...values, window_title: false, terminal_progress: false });
    ask(window);
    expect(window.taken()).toEqual([]);
    window.store.dispatch({ type: "dialogRemoved", id: "p" });
    window.wait(11_000);
    ask(window);
    expect(window.taken().length).toBe(1);
  });

  it("is nothing before the settings are read", () => {
    const window = open({});
    window.attention.take({ type: "focus", focused: false });
    ask(window);
    turn(window, "running");
    expect(window.taken()).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { settled, type TestWindow, testWindow } from "../../test/scripted-server.ts";
import { settingsSlice } from "../screens/settings/state.ts";

async function opened(): Promise<TestWindow> {
  const window = testWindow();
  const server = ["diff", "export", "review", "permissions"];
  window.server.answers["commands/list"] = () => ({
    commands: server.map((name) => ({
      ...{ name, description: name, needsSession: false },
      ...(name === "permissions" ? { aliases: ["approvals"] } : {}),
    })),
    unused: [],
  });
  window.controller.start();
  await settled();
  return window;
}

async function given(line: string): Promise<TestWindow> {
  const window = await opened();
  window.send(`${line}\r`);
  await settled();
  return window;
}

const notes = ({ store }: TestWindow): string =>
  store
    .get()
    .notes.map(({ text }) => text)
    .join("\n");

describe("a name that people know from other agents", () => {
  it.each([
    ["/exit", ({ left }: TestWindow) => left, [0]],
    ["/quit", ({ left }: TestWindow) => left, [0]],
    ["/resume", ({ store }: TestWindow) => store.get().screen, "history"],
    ["/sessions", ({ store }: TestWindow) => store.get().screen, "history"],
    ["/config", ({ store }: TestWindow) => store.get().screen, "settings"],
    ["/settings all", ({ store }: TestWindow) => store.get().screen, "settings"],
    ["/settings effort", ({ store }: TestWindow) => settingsSlice.of(store.get()).settings.filter, "effort"],
    ["/session", ({ store }: TestWindow) => store.get().overlay?.kind, "text"],
    ["/model list", ({ store }: TestWindow) => store.get().overlay?.kind, "models"],
    ["/tasks", ({ store }: TestWindow) => store.get().notes.at(-1)?.text.slice(0, 20), "The agent keeps no l"],
    ["/status", ({ store }: TestWindow) => store.get().overlay?.kind, "text"],
  ])("works: %s", async (line, seen, expected) => {
    expect(seen(await given(line))).toEqual(expected);
  });

  it.each([
    ["/diff", "diff"],
    ["/export", "export"],
    ["/review", "review"],
    ["/approvals", "permissions"],
  ])("is carried out by the server: %s", async (line, name) => {
    const window = await given(line);
    expect(window.server.paramsOf("command/run")).toMatchObject([{ name }]);
  });

  it.each([
    ["/login", /Settings \(Ctrl\+S\)/],
    ["/logout", /harness auth/],
    ["/apikey", /Settings \(Ctrl\+S\)/],
    ["/rename", /\/title TITLE/],
    ["/memory", /AGENTS\.md/],
    ["/copy", /no answer to copy/],
    ["/theme neon", /There is no theme "neon"/],
  ])("says what does the work: %s", async (line, words) => {
    const window = await given(line);
    expect(notes(window)).toMatch(words);
    expect(notes(window)).not.toContain("There is no command");
  });

  it("is a command of the person's own before it is anything else", async () => {
    const window = await opened();
    window.server.answers["commands/list"] = () => ({
      commands: [{ name: "login", description: "Mine", needsSession: false }],
      unused: [],
    });
    window.send("/login");
    await settled();
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("command/run")).toMatchObject([{ name: "login" }]);
  });
});

describe("/theme without a name", () => {
  it("lists the themes", async () => {
    const window = await given("/theme");
    expect(window.store.get().overlay?.kind).toBe("themes");
    expect(notes(window)).toBe("");
  });
});

describe("/model reset", () => {
  it("removes the choice that is kept, and says what answers now", async () => {
    const window = await given("/model reset");
    const edits = [
      { key: "provider", value: null },
      { key: "model", value: null },
    ];
    expect(window.server.paramsOf("settings/set")).toMatchObject([{ edits }]);
    expect(notes(window)).toMatch(/^No model is chosen now/m);
  });
});

describe("/resume with an id", () => {
  it("opens that session", async () => {
    const window = await given("/resume s7");
    expect(window.server.paramsOf("session/resume")).toMatchObject([{ sessionId: "s7" }]);
  });
});

describe("/status", () => {
  it("says which session this is, what answers and where", async () => {
    const window = await opened();
    window.send("hello\r");
    await settled();
    window.send("/status\r");
    await settled();
    const { overlay } = window.store.get();
    const text = overlay?.kind === "text" ? overlay.text : "";
    expect(text).toMatch(/^Folder\s+\/work$/m);
    expect(text).toMatch(/^Session\s+s1$/m);
    expect(text).toMatch(/^Model\s+qwen3-coder$/m);
    expect(text).toMatch(/^Mode\s+Asks first/m);
  });
});

import type { AgentState, TranscriptItem } from "@harness/protocol";
import { themeNames } from "@harness/protocol/choices";
import { describe, expect, it } from "vitest";
import { Session } from "../session/session.ts";
import type { Front, FrontKind } from "./front.ts";
import { commandsOf, frontCommand, frontCommands, runFrontCommand } from "./front-commands.ts";
import { lineWays } from "./other-names.ts";

const kinds = ["window", "lines"] as const;
type RecordingFront = { readonly done: string[]; readonly front: Front };

const agent = (agentId: string, parentAgentId = "main") => ({ agentId, parentAgentId }) as AgentState;

/** A front that records its calls, and a server's answers by method. */
function recorded(kind: FrontKind, parts: Partial<Front> = {}, answers: Record<string, unknown> = {}): RecordingFront {
  const done: string[] = [];
  const does =
    (name: string) =>
    (...args: unknown[]) => {
      done.push([name, ...args].join(" ").trimEnd());
    };
  const later = (name: string) => async (arg?: string) => does(name)(arg);
  const server: Front["server"] = {
    call: async (method, params) => {
      done.push(`${method} ${JSON.stringify(params)}`);
      return answers[method] as never;
    },
  };
  const front: Front = {
    ...{ kind, server, session: new Session(server, { cwd: "/w" }), isBusy: false },
    say: (text, severity = "info") => done.push(`${severity}: ${typeof text === "string" ? text : text(lineWays)}`),
    show: (title, facts) => done.push(`${title}: ${facts.map(([name]) => name).join(", ")}`),
    closest: () => [],
    images: { areShown: kind === "window", all: () => [], add: later("add"), keep: does("keep") },
    models: { list: later("list"), use: later("use"), reset: later("reset"), test: later("test") },
    view: async () => ({
      ...{ version: "1", cwd: "/w", sessionId: undefined, title: "mine", hud: undefined },
      ...{ permissionMode: "default", agentMode: undefined, modeHint: "" },
    }),
    transcript: async () => [],
    runningAgents: async () => [],
    copy: does("copy"),
    ...{ context: later("context"), rewind: does("rewind"), bare: later("bare") },
    ...{ help: does("help"), begin: does("begin"), rename: later("rename"), draft: does("draft") },
    open: async (wanted, config) => does("open")(wanted, ...(config ? [JSON.stringify(config)] : [])),
    ...{ usage: later("usage"), find: does("find"), edit: does("edit"), agents: does("agents"), keys: does("keys") },
    ...{ processes: does("processes"), trust: does("trust"), chooseTheme: does("choose"), settings: does("settings") },
    ...{ home: does("home"), leave: does("leave"), runOnServer: async (name, args) => does(`server ${name}`)(args) },
    ...parts,
  };
  return { done, front };
}

async function after(kind: FrontKind, line: string, parts: Partial<Front> = {}): Promise<string[]> {
  const { done, front } = recorded(kind, parts);
  const [, name = "", args = ""] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
  return (await runFrontCommand(front, { name, args })) ? done : ["none"];
}

describe("the table of front commands", () => {
  it.each(kinds)("gives no name two meanings: %s", (kind) => {
    const names = commandsOf(kind).flatMap((each) => each.names);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(frontCommand(kind, name)).toBeDefined();
  });

  it("has the same commands for both fronts, but for those that say so", () => {
    const [window, lines] = kinds.map((kind) => commandsOf(kind).map(({ names: [name] }) => name));
    expect(window?.filter((name) => !lines?.includes(name))).toEqual(["context", "rewind"]);
    expect(lines?.filter((name) => !window?.includes(name))).toEqual(["permission-mode"]);
    expect(frontCommand("lines", "rewind")).toBeUndefined();
    expect(frontCommand("window", "hasOwnProperty")).toBeUndefined();
  });

  it("means the same by an alias, and has words of its own for plain lines", () => {
    expect(frontCommand("window", "clear")).toBe(frontCommands.new);
    expect(commandsOf("window").find(({ names: [name] }) => name === "find")?.hint).toBe("[WORDS]");
    expect(commandsOf("lines").find(({ names: [name] }) => name === "find")?.hint).toBe("WORDS");
  });

  it.each(Object.entries(frontCommands))("does or says something: %s", async (name, { only = "window" }) => {
    expect(await after(only, name)).not.toEqual([]);
  });
});

describe("a front that does one thing at a time", () => {
  it.each(Object.keys(frontCommands))(
    "has /%s wait for the end of the turn, unless it works beside one",
    async (name) => {
      if (frontCommands[name]?.only === "window") return;
      const [first = ""] = await after("lines", name, { isBusy: true });
      const isBeside = frontCommands[name]?.whileBusy === true;
      expect(first.startsWith("warning: A turn is running")).toBe(!isBeside);
    },
  );
});

describe("a front command", () => {
  const runningAgents = async () => [agent("ab1"), agent("ab2", "ab1"), agent("cd3")];
  it.each<[string, Partial<Front>, string[]]>([
    ["model", {}, ["list"]],
    ["model reset", {}, ["reset"]],
    ["model  qwen ", {}, ["use qwen"]],
    ["agents", {}, ["agents"]],
    ["agents rm scout", {}, ["server agents rm scout"]],
    ["rewind", {}, ["rewind"]],
    ["rewind 2 both", {}, ["server rewind 2 both"]],
    ["settings all", {}, ["settings"]],
    ["resume s7", {}, ["open s7"]],
    ["title", {}, ['info: This session is called "mine". /title TITLE changes that.']],
    ["title new", {}, ["rename new"]],
    ["copy", {}, ["warning: There is no answer to copy yet."]],
    ["status", {}, ["Status: harness, Folder, Session, Model"]],
    ["stop", {}, ["info: No subagent is running. /stop alone stops the turn."]],
    ["stop", { stopTurn: async () => undefined }, []],
    ["stop x", { runningAgents }, ["warning: No running subagent is called x. Running: ab1, ab2, cd3."]],
    ["stop ab", { runningAgents }, ["warning: Which one? ab1, ab2."]],
    ["stop ab2", { runningAgents }, ["info: Agent ab2 has already ended."]],
    ["stop all", { runningAgents }, ["info: Stopping all subagents."]],
    ["fork", {}, ["info: There is nothing to fork yet: send a message first."]],
    ["handoff", {}, ["info: There is nothing to hand over yet: send a message first."]],
    ["theme", {}, ["choose"]],
    ["theme neon", {}, [`error: There is no theme "neon". Themes: ${themeNames.join(", ")}.`]],
    ["theme neon", { closest: () => ["nord"] }, ['error: There is no theme "neon". Did you mean nord?']],
    ["image", {}, ["info: The message has no image. /image PATH adds one, /image clipboard that of the clipboard."]],
    ["image 'a b.png'", {}, ["add a b.png"]],
    ["image clear", {}, ["keep", "info: The message has no image."]],
    ["nothing", {}, ["none"]],
  ])("/%s", async (line, parts, expected) => {
    expect(await after("window", line, parts)).toEqual(expected);
  });

  it("opens a fork, from here or before a message, whose text comes back", async () => {
    const session = { id: "s1", state: { config: { model: "m", permissionMode: "allow-all" } } } as Session;
    const said = (id: string): TranscriptItem => ({
      kind: "user",
      id,
      content: [{ type: "text", text: id }],
      origin: "user",
      at: "",
    });
    const transcript = async () => [said("one"), said("two")];
    const prompt = [{ type: "text", text: "two" }];
    const answers = { "session/fork": { session: { sessionId: "s2" }, prompt } };
    const { done, front } = recorded("window", { session, transcript }, answers);
    await runFrontCommand(front, { name: "fork", args: "2" });
    expect(done).toEqual([
      'session/fork {"sessionId":"s1","messageId":"two"}',
      'open s2 {"permissionMode":"allow-all"}',
      "draft two",
      "info: This is a fork now. The other session stays as it is: /resume s1",
    ]);
    done.splice(0);
    const worktree = { path: "/repo.worktrees/one", branch: "harness/one", leftOut: "2 files over 10 MB" };
    const apart = recorded(
      "window",
      { session, transcript },
      { "session/fork": { session: { sessionId: "s3" }, worktree } },
    );
    await runFrontCommand(apart.front, { name: "fork", args: "1 worktree" });
    expect(apart.done).toEqual([
      'session/fork {"sessionId":"s1","messageId":"one","worktree":true}',
      'open s3 {"permissionMode":"allow-all"}',
      "info: This is a fork now. It works in /repo.worktrees/one, on the branch harness/one. Missing there: 2 files over 10 MB. The other session stays as it is: /resume s1",
    ]);
    for (const args of ["3", "x"]) await runFrontCommand(front, { name: "branch", args });
    expect(done).toEqual([
      expect.stringContaining("warning: There is no message 3: you have sent 2."),
      expect.stringContaining("warning: Usage: /fork"),
    ]);
  });

  it("hands over to a new session with a brief that can be edited, named after its purpose or the old one", async () => {
    const session = { id: "s1" } as Session;
    const { done, front } = recorded("lines", { session }, { "session/brief": { text: "Brief." } });
    await runFrontCommand(front, { name: "handoff", args: "write the tests" });
    expect(done).toEqual([
      "info: The model writes a brief of this session …",
      'session/brief {"sessionId":"s1","purpose":"write the tests"}',
      "begin s1",
      "draft write the tests\n\nThis continues session s1. A brief of it:\n\nBrief.",
      expect.stringContaining("info: Edit the brief and send it"),
    ]);
    done.splice(0);
    await runFrontCommand(front, { name: "handoff", args: "" });
    expect(done[3]).toMatch(/^draft Go on with: mine\n/);
  });

  it("hands nothing over when the user has left the session meanwhile", async () => {
    const session = { id: "s1" };
    const { done, front } = recorded("window", { session: session as Session }, {});
    const call: Front["server"]["call"] = async () => {
      session.id = "s2";
      return { text: "Brief." } as never;
    };
    await runFrontCommand({ ...front, server: { call } }, { name: "handoff", args: "" });
    expect(done.at(-1)).toContain("warning: The brief of session s1 is not used");
    expect(done.some((each) => each.startsWith("begin"))).toBe(false);
  });

  it("changes the theme, and begins a session for a permission mode", async () => {
    const { done, front } = recorded("lines", {}, { "session/new": { session: { sessionId: "s1" } } });
    await runFrontCommand(front, { name: "theme", args: "Nord" });
    await runFrontCommand(front, { name: "permission-mode", args: "deny" });
    await runFrontCommand(front, { name: "permission-mode", args: "" });
    expect(done.filter((each) => !each.startsWith("session/new"))).toEqual([
      'settings/set {"edits":[{"key":"theme","value":"nord"}]}',
      "info: The theme of the window is now nord; plain lines have no colours.",
      'session/set_config_option {"sessionId":"s1","config":{"permissionMode":"deny"}}',
      "info: Changes denied: what would need your permission is denied.",
      "error: Usage: /permission-mode MODE",
    ]);
  });

  it("removes an image by its number, and says what a message has now where it does not show it", async () => {
    const image = (name: string) => ({ name, original: { widthPx: 0, heightPx: 0, sizeBytes: 1 } }) as never;
    let kept = [image("a"), image("b")];
    const images: Front["images"] = {
      areShown: false,
      all: () => kept,
      add: async () => undefined,
      keep: (left) => {
        kept = [...left] as typeof kept;
      },
    };
    expect(await after("lines", "image drop 3", { images })).toEqual([
      "error: Usage: /image drop N. Goes with your next message:\n1. a\n2. b",
    ]);
    expect(await after("lines", "image drop 1", { images })).toEqual(["info: Goes with your next message:\n1. b"]);
    const choices = await frontCommands.image?.complete?.(
      recorded("window", { images }, { "files/search": { paths: ["x.png", "x.png.txt"] } }).front,
    );
    expect(choices?.map(({ label }) => label)).toEqual(["x.png", "clear", "drop 1"]);
  });
});

import { describe, expect, it } from "vitest";
import { matches, parseHookFile } from "./hook-file.ts";

const hook = (command: string, more: object = {}) => ({ type: "command", command, ...more });
const parse = (value: unknown) => parseHookFile(JSON.stringify(value), "f.json");

describe("a file of hooks in Claude's form", () => {
  it("a file of hooks has those of settings, and may have nothing else", () => {
    const events = { PreToolUse: [{ matcher: "Edit|Write", hooks: [hook("./check", { timeout: 5 })] }] };
    const wanted = [
      { event: "PreToolUse", matcher: "Edit|Write", command: "./check", timeoutMs: 5_000, isAsync: false, passEnv: [] },
    ];
    expect(parse({ permissions: {}, hooks: events })).toEqual({ hooks: wanted, problems: [] });
    expect(parse(events)).toEqual({ hooks: wanted, problems: [] });
    expect(
      parse({ hooks: { Stop: [{ hooks: [hook("a"), hook("b", { async: true, pass_env: ["A_KEY"] })] }] } }).hooks,
    ).toMatchObject([
      { event: "Stop", matcher: "", timeoutMs: 60_000, isAsync: false },
      { command: "b", isAsync: true, passEnv: ["A_KEY"] },
    ]);
    expect(parse({ permissions: {} })).toEqual({ hooks: [], problems: [] });
    expect(parse({ disableAllHooks: true, hooks: events }).hooks).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["an unknown event", { hooks: { OnFire: [] } }, "f.json: OnFire is not used: harness has no such event."],
    ["no list", { hooks: { Stop: {} } }, "f.json: Stop is not used: it must be a list."],
    [
      "a broken matcher",
      { hooks: { Stop: [{ matcher: "(", hooks: [] }] } },
      "Stop[0] is not used: its matcher is not a valid regular expression.",
    ],
    [
      "a matcher that would take years",
      { hooks: { Stop: [{ matcher: "(a+)\\1", hooks: [] }] } },
      "Stop[0] is not used: its matcher refers back to what a group has matched, which cannot be matched quickly.",
    ],
    [
      "a long matcher",
      { hooks: { Stop: [{ matcher: "a?".repeat(501), hooks: [] }] } },
      "Stop[0] is not used: its matcher has more than 1000 characters.",
    ],
    [
      "another type",
      { hooks: { Stop: [{ hooks: [{ type: "prompt" }] }] } },
      'Stop[0].hooks[0] is not used: hooks of type "prompt" cannot be run',
    ],
    ["no command", { hooks: { Stop: [{ hooks: [hook(" ")] }] } }, "Stop[0].hooks[0] is not used: it has no command."],
    ["a list in its place", [], "f.json is not used: it is not an object."],
  ])("a file of hooks with %s says so, and the rest of it counts", (_what, value, wanted) => {
    const { hooks, problems } = parse(value);
    expect([hooks, problems]).toEqual([[], [expect.stringContaining(wanted)]]);
  });

  it("a file of hooks that is not JSON says in which line", () => {
    expect(parseHookFile('{\n "hooks": {,}', "f.json").problems).toEqual([
      "f.json is not used: it is not valid JSON (line 2).",
    ]);
  });

  it.each<[string, string[], boolean]>([
    ["", ["Edit"], true],
    ["*", ["Edit"], true],
    ["Edit", ["Edit"], true],
    ["Edit", ["NotebookEdit"], false],
    ["Edit|Write", ["Write"], true],
    ["Edit, Write", ["Write"], true],
    ["bash", ["Bash", "bash"], true],
    ["mcp__.*__write.*", ["mcp__files__write_file"], true],
    ["Notebook.*", ["NotebookEdit"], true],
    ["^Edit$", ["MultiEdit"], false],
  ])("the matcher %j held against %j says %s", (matcher, names, wanted) => {
    expect(matches(matcher, names)).toBe(wanted);
  });
});

// Each form in which a model changes files, and one undo that leaves the folder as it was: a real server and real
// tools.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

const patch = [
  "*** Begin Patch",
  "*** Add File: added.txt",
  "+new",
  "*** Update File: a.txt",
  "@@",
  "-one",
  "+ONE",
  "*** Delete File: b.txt",
  "*** Update File: c.txt",
  "*** Move to: moved/c.txt",
  "@@",
  "-three",
  "+THREE",
  "*** End Patch",
].join("\n");

/** The tool under the name that the model writes, with arguments that change something. */
const changes: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ["write", { file_path: "made/new.txt", content: "new\n" }],
  ["write", { file_path: "a.txt", content: "replaced\n" }],
  ["edit", { file_path: "a.txt", old_string: "one", new_string: "ONE" }],
  [
    "edit",
    {
      edits: [
        { file_path: "a.txt", old_string: "one", new_string: "ONE" },
        { file_path: "b.txt", old_string: "two", new_string: "TWO" },
      ],
    },
  ],
  ["replace_lines", { file_path: "a.txt", start_line: 1, end_line: 1, content: "ONE" }],
  ["insert_lines", { file_path: "a.txt", line: 1, content: "ZERO" }],
  ["apply_patch", { input: patch }],
  ["bash", { command: "rm a.txt && mv b.txt d.txt && mkdir deep && echo x > deep/x && chmod 700 c.txt" }],
  ["bash", { command: "echo started > a.txt; echo up; exec sleep 30", background: true, pattern: "up" }],
];

describe.skipIf(!hasGit)("one undo", () => {
  let live: LiveServer;
  let prompt: (text: string) => Promise<void>;
  let undo: () => Promise<unknown>;

  beforeAll(async () => {
    const reads = ["a.txt", "b.txt", "c.txt"].map((file_path) => ({ name: "read", arguments: { file_path } }));
    const script = changes.flatMap(([name, args]) => [
      { toolCalls: reads },
      turns.call(name, args),
      turns.say("Done."),
    ]);
    live = await LiveServer.start({ turns: script });
    mkdirSync(live.cwd);
    for (const [name, text] of Object.entries({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" }))
      writeFileSync(join(live.cwd, name), text);
    const { client } = await live.connect(choose("allow_once"));
    const { session } = await client.call("session/new", { cwd: live.cwd });
    const { sessionId } = session;
    prompt = async (text) => {
      const after = live.lastSeq;
      await client.call("session/prompt", { sessionId, promptId: text, prompt: say(text) });
      await live.idle(after);
    };
    undo = () => client.call("session/undo", { sessionId });
  });
  afterAll(() => live.close());

  /** Names, contents and executable bits of all files below the folder. */
  const folder = () =>
    readdirSync(live.cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(live.cwd, path), readFileSync(path, "utf8"), (statSync(path).mode & 0o100) !== 0])
      .sort(([a], [b]) => String(a).localeCompare(String(b)));

  it.each(changes.map(([name, args], at) => [name, Object.keys(args).join(" "), at] as const))(
    "reverts %s with %s",
    async (_name, _args, at) => {
      const before = folder();
      await prompt(`change ${at}`);
      expect(folder()).not.toEqual(before);
      await undo();
      expect(folder()).toEqual(before);
    },
  );
});

import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendAll, idle, sampleFacts, userSays } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

const AT = Date.UTC(2026, 10, 21);
const ID = "20261121-000000-test";
let root = "";
const store = () => openStore(root, { clock: { now: () => AT } });
const logPath = (...agent: string[]) => join(root, ID, ...agent, "log.jsonl");
const lines = () => readFileSync(logPath(), "utf8").split("\n");
const change = (edit: (all: string[]) => void) => {
  const all = lines();
  edit(all);
  writeFileSync(logPath(), all.join("\n"));
};
const check = () => {
  const result = store().check(ID);
  if ("problem" in result) throw new Error(result.problem);
  return result;
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "check-"));
  const log = store().create({ sessionId: ID, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
  const { agent_message: reply } = sampleFacts;
  appendAll(log, [userSays("one"), reply, idle, userSays("two"), reply, idle], AT);
  log.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a check of a session", () => {
  it("finds nothing in one that is whole", () => {
    expect(check()).toEqual({ sessionId: ID, folder: join(root, ID), facts: 6, faults: [] });
    expect(store().ids()).toEqual([ID]);
  });

  it.each<[string, (all: string[]) => void, Record<string, unknown>[]]>([
    [
      "a changed word",
      (all) => all.splice(1, 1, (all[1] ?? "").replace("one", "two")),
      [
        { line: 2, what: expect.stringMatching(/^Its checksum is wrong.* It is left out\.$/) },
        { what: "Entry 1 is in no log." },
      ],
    ],
    [
      "a line that is no JSON",
      (all) => all.splice(3, 0, "rubbish"),
      [{ line: 4, what: "It is not valid JSON. It is left out." }],
    ],
    ["lines that are gone", (all) => all.splice(2, 2), [{ what: "Entries 2 to 3 are in no log." }]],
    [
      "zero bytes",
      (all) => all.splice(3, 1, "\0".repeat(40)),
      [
        { line: 4, what: "It contains zero bytes, as after a crash of the machine. It is left out." },
        { what: "Entry 3 is in no log." },
      ],
    ],
    [
      "a lost line end",
      (all) => all.splice(2, 2, `${all[2]}${all[3]}`),
      [{ line: 3, isHarmless: true, what: expect.stringContaining("Several entries are in one line") }],
    ],
    [
      "a line that was begun",
      (all) => all.splice(-1, 1, '{"seq":7,"at":"2026'),
      [{ line: 8, isHarmless: true, what: expect.stringContaining("The last line is incomplete") }],
    ],
    [
      "a lost first line",
      (all) => all.splice(0, 1),
      [{ what: expect.stringContaining("the first line, with date and folder, is lost") }],
    ],
  ])("finds %s", (_name, edit, faults) => {
    change(edit);
    const before = readFileSync(logPath());
    expect(check().faults).toEqual(faults.map((fault) => ({ path: logPath(), ...fault })));
    expect(readFileSync(logPath())).toEqual(before);
  });

  it("finds a damaged log of a subagent, and a saved text that is gone", () => {
    const { log } = (() => {
      const opened = store().open(ID);
      if ("problem" in opened) throw new Error(opened.problem);
      return opened;
    })();
    const text = join(root, ID, "blobs", "t1.txt");
    const update = { sessionUpdate: "notice", severity: "info", title: `The rest is in ${text}.` } as const;
    log.append({ agentId: "a1", at: new Date(AT).toISOString(), update });
    log.close();
    appendFileSync(logPath("subagent", "a1"), "rubbish\n");
    expect(check().faults).toEqual([
      { path: logPath("subagent", "a1"), line: 3, what: "It is not valid JSON. It is left out." },
      { path: text, what: "This saved text is gone. Entry 7 has its beginning." },
    ]);
    mkdirSync(join(text, ".."), { recursive: true });
    writeFileSync(text, "all of it");
    expect(check().faults).toHaveLength(1);
  });

  it("finds a message file that is not read", () => {
    const markdown = openStore(root, {
      clock: { now: () => AT },
      places: {
        forNew: () => ({ path: join(root, "files"), isOurs: true }),
        all: () => [{ path: join(root, "files"), isOurs: true }],
      },
    });
    const sessionId = "20261121-000001-mark";
    const log = markdown.create({ sessionId, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
    appendAll(log, [userSays("one"), sampleFacts.agent_message, idle], AT);
    log.close();
    const path = join(root, "files", sessionId, "messages", "0003-tool_result.md");
    writeFileSync(path, "no frontmatter\n");
    const result = markdown.check(sessionId);
    expect("faults" in result && result.faults).toEqual([
      { path, what: expect.stringMatching(/^The message is not read: .+\.$/) },
    ]);
  });

  it("is refused for one that is not there", () => {
    expect(store().check("20261121-000000-none")).toMatchObject({ kind: "not_found" });
  });
});

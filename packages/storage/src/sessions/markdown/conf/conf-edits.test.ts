import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog, type SessionStore } from "@harness/core";
import type { Fact } from "@harness/protocol";
import { got, idle } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  append,
  asks,
  MARKDOWN_AT,
  MARKDOWN_ID,
  openMarkdown,
  said,
  says,
  take,
} from "../../../../test/markdown-session.ts";
import { openStore } from "../../session-store.ts";

let root = "";
let store: SessionStore;
const path = () => join(root, MARKDOWN_ID, "session.conf");
const conf = () => readFileSync(path(), "utf8");
const edit = (from: RegExp, to: string) => writeFileSync(path(), conf().replace(from, to));

function begin(from = store): SessionLog {
  const log = from.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
  append(log, { sessionUpdate: "session_info_update", title: "Plan" }, asks("one"), says("1"), idle);
  return log;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "conf-edits-"));
  store = openMarkdown(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("session.conf that is edited", () => {
  const reason = "The model is now large: session.conf was edited.";
  const cases: [string, RegExp, string, () => object[]][] = [
    ["a title", /^title=.*$/m, "title=Other", () => [{ sessionUpdate: "session_info_update", title: "Other" }]],
    [
      "a model",
      /^model=.*$/m,
      "model=large",
      () => [{ sessionUpdate: "config_option_update", config: { model: "large" }, reason }],
    ],
    [
      "a provider with its model",
      /^model=.*\nprovider=.*$/m,
      "model=large\nprovider=other",
      () => [{ sessionUpdate: "config_option_update", config: { model: "large", provider: "other" }, reason }],
    ],
    ["an empty title", /^title=.*$/m, "title=", () => []],
    ["no title", /^title=.*\n/m, "", () => []],
    ["blanks at the end of lines", /^title=.*$/m, "title=Plan  ", () => []],
    ["what is no name", /^model=.*$/m, "model=large\u001b[31m", () => []],
    ["a value that is not ours", /^cwd=.*$/m, "cwd=/elsewhere\npermission_mode=allow-all", () => []],
  ];
  it.each(cases)("counts once, while the session is open: %s", (_name, from, to, expected) => {
    const log = begin();
    edit(from, to);
    expect(take(log)).toEqual(expected());
    expect(take(log)).toEqual([]);
    append(log, asks("two"), says("2"), idle);
    expect(take(log)).toEqual([]);
    log.close();
  });

  it.each(cases)("counts once, when the session is opened: %s", (_name, from, to, expected) => {
    begin().close();
    edit(from, to);
    const own = (log: SessionLog): Fact[] => [...factsOf(log)].slice(4).map(({ update }) => update);
    const log = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(own(log)).toEqual(expected());
    log.close();
    const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(own(again)).toEqual(expected());
    again.close();
  });

  it("is not what a killed process has left behind", () => {
    const log = begin();
    const before = conf();
    append(log, { sessionUpdate: "session_info_update", title: "Newer" });
    const table = join(root, MARKDOWN_ID, ".harness", "files.jsonl");
    const rows = readFileSync(table, "utf8").trimEnd().split("\n");
    log.close();
    writeFileSync(path(), before);
    writeFileSync(table, `${rows.slice(0, -1).join("\n")}\n`);
    const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(again.digest.title).toBe("Newer");
    again.close();
  });

  it("changes a title, and no model, where agents can write it", () => {
    const place = { path: root, isOurs: false };
    const clock = { now: () => Date.parse(MARKDOWN_AT) };
    const log = begin(openStore(join(root, ".own"), { clock, places: { all: () => [place], forNew: () => place } }));
    edit(/^model=.*$/m, "model=large");
    edit(/^title=.*$/m, "title=Other");
    expect(take(log)).toMatchObject([
      { sessionUpdate: "session_info_update", title: "Other" },
      { sessionUpdate: "notice", title: expect.stringContaining("choose a model with /model.") },
    ]);
    expect(take(log)).toEqual([]);
    append(log, asks("two"), says("2"), idle);
    expect(log.digest).toMatchObject({ model: "small", title: "Other" });
    expect(said(factsOf(log))).toEqual(["> one", "1", "> two", "2"]);
    log.close();
  });
});

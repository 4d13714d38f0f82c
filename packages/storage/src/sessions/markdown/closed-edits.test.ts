import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@harness/core";
import type { Fact } from "@harness/protocol";
import { got, idle } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { append, asks, MARKDOWN_AT, MARKDOWN_ID, openMarkdown, says } from "../../../test/markdown-session.ts";

let root = "";
/** It has listed and searched the session before the edit. */
let store: SessionStore;
const dir = () => join(root, MARKDOWN_ID);
const message = (name: string) => join(dir(), "messages", name);

/** In place: the time of the folder stays as it was. */
function edit(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(from, to));
  expect(readFileSync(path, "utf8")).not.toBe(text);
}
async function listed(from = store) {
  const { sessions } = await from.list({ limit: 5 });
  const { title, preview, answer, turns, model } = sessions[0] ?? {};
  return { title, preview, answer, turns, model };
}
async function found(query: string, from = store): Promise<string[]> {
  const { hits, problems } = await from.search({ query, limit: 5 });
  expect(problems).toBeUndefined();
  return hits.map(({ excerpt }) => excerpt);
}

const talk: Fact[] = [
  { sessionUpdate: "session_info_update", title: "Plan" },
  asks("walnut one"),
  says("cherry 1"),
  idle,
  asks("two"),
  says("maple 2"),
  idle,
];
const before = { title: "Plan", preview: "walnut one", answer: "maple 2", turns: 2, model: "small" };

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "closed-edits-"));
  store = openMarkdown(root);
  const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
  append(log, ...talk);
  log.close();
  expect(await listed()).toEqual(before);
  expect(await found("walnut")).toHaveLength(1);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a closed session that is edited by hand", () => {
  const cases: [string, () => void, Partial<typeof before>][] = [
    ["its title", () => edit(join(dir(), "session.conf"), /^title=.*$/m, "title=Other"), { title: "Other" }],
    ["its model", () => edit(join(dir(), "session.conf"), /^model=.*$/m, "model=large"), { model: "large" }],
    ["the first message", () => edit(message("0001-user.md"), "walnut", "birch"), { preview: "birch one" }],
    ["the last answer", () => edit(message("0004-assistant.md"), "maple", "aspen"), { answer: "aspen 2" }],
    ["an earlier answer", () => edit(message("0002-assistant.md"), "cherry", "aspen"), {}],
    ["a message is added", () => writeFileSync(message("0005-user.md"), "three"), { turns: 3 }],
    ["the first message is removed", () => rmSync(message("0001-user.md")), { preview: "two", turns: 1 }],
    ["a message is put first", () => writeFileSync(message("0000-user.md"), "zero"), { preview: "zero", turns: 3 }],
  ];
  it.each(cases)("is listed as it is now, before and after it is opened: %s", async (_name, work, change) => {
    work();
    expect(await listed()).toEqual({ ...before, ...change });
    expect(await listed(openMarkdown(root))).toEqual({ ...before, ...change });
    got(store.open(MARKDOWN_ID)).log.close();
    expect(await listed()).toEqual({ ...before, ...change });
    rmSync(join(dir(), ".harness", "meta.json"));
    expect(await listed(openMarkdown(root))).toEqual({ ...before, ...change });
  });

  it("is listed as it was, once the edit is taken back", async () => {
    const path = message("0001-user.md");
    edit(path, "walnut", "birch");
    expect((await listed()).preview).toBe("birch one");
    edit(path, "birch", "walnut");
    expect(await listed()).toEqual(before);
    edit(join(dir(), "session.conf"), /^title=.*$/m, "title=Other");
    expect(await listed()).toEqual({ ...before, title: "Other" });
  });

  it("is found by a title that was edited in", async () => {
    edit(join(dir(), "session.conf"), /^title=.*$/m, "title=Other");
    expect(await store.resolve("other")).toEqual({ sessionId: MARKDOWN_ID });
  });

  it("is found by a word that was edited in, and not by one that was edited out", async () => {
    edit(message("0002-assistant.md"), "cherry", "aspen");
    for (const from of [store, openMarkdown(root)]) {
      expect(await found("aspen", from)).toEqual(["aspen 1"]);
      expect(await found("cherry", from)).toEqual([]);
      expect(await found("maple", from)).toEqual(["maple 2"]);
    }
    got(store.open(MARKDOWN_ID)).log.close();
    edit(message("0002-assistant.md"), "aspen", "elm");
    expect(await found("aspen")).toEqual([]);
    got(store.open(MARKDOWN_ID)).log.close();
    for (const from of [store, openMarkdown(root)]) {
      expect(await found("elm", from)).toEqual(["elm 1"]);
      for (const word of ["aspen", "cherry"]) expect(await found(word, from)).toEqual([]);
      for (const word of ["maple", "walnut"]) expect(await found(word, from)).toHaveLength(1);
    }
  });

  it("is not found by the words of a message that was removed", async () => {
    rmSync(message("0003-user.md"));
    rmSync(message("0004-assistant.md"));
    for (const from of [store, openMarkdown(root)]) expect(await found("maple", from)).toEqual([]);
    got(store.open(MARKDOWN_ID)).log.close();
    for (const from of [store, openMarkdown(root)]) expect(await found("maple", from)).toEqual([]);
    rmSync(join(root, ".search.db"), { force: true });
    expect(await found("maple", openMarkdown(root))).toEqual([]);
  });

  it("is listed and searched as it is now without its log, too", async () => {
    rmSync(join(dir(), ".harness"), { recursive: true });
    expect((await listed()).preview).toBe("walnut one");
    expect(await found("walnut")).toHaveLength(1);
    edit(message("0001-user.md"), "walnut", "birch");
    expect((await listed()).preview).toBe("birch one");
    expect([await found("walnut"), await found("birch")]).toEqual([[], ["birch one"]]);
    edit(join(dir(), "session.conf"), /^title=.*$/m, "title=Other");
    expect((await listed()).title).toBe("Other");
  });

  it("is no other one where only the times of its files are new", async () => {
    utimesSync(message("0001-user.md"), new Date(), new Date());
    expect(await listed()).toEqual(before);
    expect(await found("walnut")).toHaveLength(1);
  });
});

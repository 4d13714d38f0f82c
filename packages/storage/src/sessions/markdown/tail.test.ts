import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@harness/core";
import { got } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { append, asks, MARKDOWN_AT, MARKDOWN_ID, openMarkdown, says } from "../../../test/markdown-session.ts";

let root = "";
let store: SessionStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "markdown-tail-"));
  store = openMarkdown(root);
  const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
  append(log, asks("one"), says("first"), asks("two"), says("second"));
  log.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const inSession = (...names: string[]) => join(root, MARKDOWN_ID, ...names);
const lastMessage = () => inSession("messages", readdirSync(inSession("messages")).sort().at(-1) ?? "");
const change = (path: string, from: string, to: string) =>
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));

describe("the tail of a Markdown session", () => {
  it("is its last page as long as nobody has edited its files", () => {
    const last = got(store.load(MARKDOWN_ID)).read({ before: Number.POSITIVE_INFINITY, limit: 2 });
    expect(last.facts).toHaveLength(2);
    expect(store.tail(MARKDOWN_ID, 2)).toEqual(last);
  });

  it.each<[string, () => void]>([
    ["a message is edited", () => change(lastMessage(), "second", "better")],
    ["a message is removed", () => rmSync(lastMessage())],
    ["a message is added", () => writeFileSync(inSession("messages", "0009-user.md"), "more\n")],
    ["the title is edited", () => writeFileSync(inSession("session.conf"), "title=Mine\n")],
    [
      "a picture is put beside them",
      () => [mkdirSync(inSession("images")), writeFileSync(inSession("images", "a.png"), "")],
    ],
    ["its log is gone", () => rmSync(inSession(".harness"), { recursive: true })],
  ])("is not known where %s", (_name, edit) => {
    edit();
    expect(store.tail(MARKDOWN_ID, 2)).toEqual({ facts: [], more: false });
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type SessionLog, type SessionStore } from "@harness/core";
import { type Fact, fold, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { got, idle } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  append,
  asks,
  callsBash,
  MARKDOWN_AT,
  MARKDOWN_ID,
  openMarkdown,
  result,
  says,
  take,
} from "../../../test/markdown-session.ts";

let root = "";
let store: SessionStore;
const images = () => join(root, MARKDOWN_ID, "images");
const onlyPicture = () => join(images(), readdirSync(images())[0] ?? "");
const base64 = (text: string) => Buffer.from(text).toString("base64");

const shows = (text: string, picture: string): Fact => ({
  ...(asks(text) as object),
  sessionUpdate: "user_message",
  messageId: `m-${text}`,
  origin: "user",
  content: [
    { type: "text", text },
    { type: "image", mimeType: "image/png", data: base64(picture) },
  ],
});

/** The pictures of the conversation, as text. */
function pictures(facts: Iterable<StoredFact>): string[] {
  const main = fold(MARKDOWN_ID, facts).agents.get(ROOT_AGENT);
  return (main?.items ?? []).flatMap((item) => {
    const parts = item.kind === "user" ? item.content : item.kind === "tool" ? (item.outcome?.images ?? []) : [];
    return parts.flatMap((part) =>
      part.type === "image"
        ? [Buffer.from(part.data, "base64").toString()]
        : part.text.startsWith("[")
          ? [part.text]
          : [],
    );
  });
}

function begin(...updates: Fact[]): SessionLog {
  const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
  append(log, ...updates);
  return log;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pictures-"));
  store = openMarkdown(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a picture beside the messages", () => {
  const talk = [shows("one", "old"), says("1"), idle];

  it("counts as it is when it is replaced while the session is open", () => {
    const log = begin(...talk);
    expect(take(log)).toEqual([]);
    writeFileSync(onlyPicture(), "new");
    expect(take(log)).toMatchObject([{ title: expect.stringContaining("1 message was edited") }, {}, {}]);
    expect(pictures(factsOf(log))).toEqual(["new"]);
    expect(take(log)).toEqual([]);
    append(log, shows("two", "other"), says("2"), idle);
    expect(take(log)).toEqual([]);
    writeFileSync(onlyPicture(), "newer");
    append(log, shows("three", "third"));
    take(log);
    expect(pictures(factsOf(log))).toContain("newer");
    log.close();
  });

  it("counts as it is when it is replaced while the session is closed", async () => {
    begin(...talk, callsBash, { ...result("a"), outcome: outcomeWith("shot") } as Fact, says("2"), idle).close();
    await store.list({ limit: 1 });
    for (const name of readdirSync(images())) {
      const text = readFileSync(join(images(), name), "utf8");
      writeFileSync(join(images(), name), `${text} now`);
    }
    expect(pictures(factsOf(got(store.load(MARKDOWN_ID))))).toEqual(["old now", "shot now"]);
    const log = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(pictures(factsOf(log))).toEqual(["old now", "shot now"]);
    expect(take(log)).toEqual([]);
    log.close();
    const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
    expect(take(again)).toEqual([]);
    expect(pictures(factsOf(again))).toEqual(["old now", "shot now"]);
    again.close();
  });

  it("is missing when it is removed, and there again when it is back", () => {
    const log = begin(...talk);
    const path = onlyPicture();
    renameSync(path, join(root, "kept"));
    take(log);
    expect(pictures(factsOf(log))).toEqual([expect.stringContaining("is missing")]);
    expect(take(log)).toEqual([]);
    renameSync(join(root, "kept"), path);
    take(log);
    expect(pictures(factsOf(log))).toEqual(["old"]);
    expect(take(log)).toEqual([]);
    log.close();
  });

  it("is saved beside the one that has taken its place", () => {
    const log = begin(...talk);
    writeFileSync(onlyPicture(), "new");
    take(log);
    append(log, shows("two", "old"), says("2"), idle);
    expect(take(log)).toEqual([]);
    expect(readdirSync(images())).toHaveLength(2);
    log.close();
    rmSync(join(root, MARKDOWN_ID, ".harness"), { recursive: true });
    expect(existsSync(join(root, MARKDOWN_ID, ".harness"))).toBe(false);
    expect(pictures(factsOf(got(openMarkdown(root).load(MARKDOWN_ID))))).toEqual(["new", "old"]);
  });
});

const outcomeWith = (picture: string) => ({
  status: "ok" as const,
  text: "a",
  blocks: [],
  durationMs: 4,
  images: [{ type: "image" as const, mimeType: "image/png", data: base64(picture) }],
});

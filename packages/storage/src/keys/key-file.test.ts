import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeyFile } from "./key-file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "keys-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = () => join(root, "keys.json");

describe("the file of keys", () => {
  it("is empty where there is none", () => {
    expect(new KeyFile({ root }).read()).toEqual({ keys: {}, problems: [] });
  });

  it("keeps what is set, for this user alone, and forgets what is given back", () => {
    const file = new KeyFile({ root });
    expect(file.set("chat.agents", ["f2"])).toEqual({ problems: [] });
    expect(file.set("anywhere.fold", [])).toEqual({ problems: [] });
    expect(new KeyFile({ root }).read().keys).toEqual({ "chat.agents": ["f2"], "anywhere.fold": [] });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    file.set("chat.agents", undefined);
    expect(file.read().keys).toEqual({ "anywhere.fold": [] });
  });

  it("can be written by hand: one key without brackets, and null for none", () => {
    writeFileSync(path(), '{ "chat.agents": "Ctrl+X A", "chat.model": null, "input.submit": ["enter", "f5"] }');
    expect(new KeyFile({ root }).read()).toEqual({
      keys: { "chat.agents": ["Ctrl+X A"], "chat.model": [], "input.submit": ["enter", "f5"] },
      problems: [],
    });
  });

  it.each([
    ["{", /not valid JSON/],
    ['{ "chat.agents": 3 }', /map actions to keys/],
    ["[]", /map actions to keys/],
  ])("that holds %j says so, and a copy of it is kept at the next change", (text, words) => {
    writeFileSync(path(), text);
    const file = new KeyFile({ root });
    expect(file.read().keys).toEqual({});
    expect(file.read().problems.join()).toMatch(words);
    const saved = file.set("chat.agents", ["f2"]);
    expect("problems" in saved && saved.problems.join()).toMatch(/It was renamed to /);
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({ "chat.agents": ["f2"] });
  });

  it("that is broken while it is in use leaves the keys in force, also for the next change", () => {
    const file = new KeyFile({ root });
    file.set("chat.agents", ["f2"]);
    file.set("chat.model", ["f3"]);
    expect(file.read().problems).toEqual([]);
    writeFileSync(path(), '{ "chat.agents": "f4",');
    expect(file.read()).toEqual({
      keys: { "chat.agents": ["f2"], "chat.model": ["f3"] },
      problems: [expect.stringMatching(/not valid JSON\. Until it is corrected, its previous keys stay in effect\.$/)],
    });
    file.set("chat.todos", ["f5"]);
    const kept = { "chat.agents": ["f2"], "chat.model": ["f3"], "chat.todos": ["f5"] };
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual(kept);
    expect(file.read()).toEqual({ keys: kept, problems: [] });
    rmSync(path());
    expect(file.read()).toEqual({ keys: {}, problems: [] });
  });
});

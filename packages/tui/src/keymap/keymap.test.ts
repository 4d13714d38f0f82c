import { describe, expect, it } from "vitest";
import { keyTable } from "./key-table.ts";
import { keyTables } from "./key-tables.ts";
import { Keymap } from "./keymap.ts";
import { readKey } from "./read-key.ts";

describe("a table with letters", () => {
  const table = keyTable("list", [
    { id: "delete", keys: ["d"], doc: "" },
    { id: "own", keys: ["щ"], doc: "" },
  ]);
  it.each([
    ["в", "delete"],
    ["δ", "delete"],
    ["ג", "delete"],
    ["щ", "own"],
    ["ж", undefined],
    ["é", undefined],
  ])("has %s", (name, id) => {
    expect(table.idOf({ type: "key", name, text: name, ctrl: false, alt: false, shift: false, meta: false })).toBe(id);
  });
});

describe("a key as a person writes it", () => {
  it.each([
    ["Ctrl+X A", "ctrl+x a"],
    ["ctrl+x ctrl+e", "ctrl+x e"],
    ["control+x  E", "ctrl+x e"],
    ["Esc", "escape"],
    ["Return", "enter"],
    ["PgUp", "pageup"],
    ["shift+alt+F5", "alt+shift+f5"],
    ["option+b", "alt+b"],
    ["cmd+k", "meta+k"],
    ["?", "?"],
    ["Shift+A", "a"],
    ["ctrl++", "ctrl++"],
    ["ctrl+shift+z", "ctrl+shift+z"],
  ])("%s is %s", (written, key) => {
    expect(readKey(written)).toEqual({ key });
  });

  it.each([
    ["ctrl+hyper+x", /no key/],
    ["hello", /no key/],
    ["f25", /no key/],
    ["", /no key/],
    ["ctrl+i", /cannot be distinguished from Tab/],
    ["ctrl+x a b", /more than two/],
    ["g g", /begins with a key that types/],
  ])("%j is refused", (written, problem) => {
    const read = readKey(written);
    expect("problem" in read ? read.problem : read.key).toMatch(problem);
  });
});

describe("keys that answer a dialog", () => {
  it.each(["permission.take", "permission.stop", "review.apply", "question.take", "question.decline", "trust.take"])(
    "%s cannot be a character, which begins a message",
    (action) => {
      const keymap = new Keymap(keyTables, { [action]: ["y", "space", "ctrl+y"] });
      expect(keymap.keysOf(action)).toEqual(["ctrl+y"]);
      expect(keymap.problems).toHaveLength(2);
    },
  );
});

const input = keyTable("input", [
  { id: "submit", keys: ["enter"], doc: "Send" },
  { id: "keySheet", keys: ["?"], doc: "Keys" },
]);
const chat = keyTable("chat", [
  { id: "agents", keys: ["ctrl+x a"], doc: "Agents" },
  { id: "todos", keys: ["ctrl+t"], doc: "Tasks" },
]);
const more = keyTable("chat", [{ id: "unqueue", keys: ["alt+up"], doc: "Back" }]);
const anywhere = keyTable("anywhere", [
  { id: "interrupt", keys: ["ctrl+c"], doc: "Stop" },
  { id: "fold", keys: ["ctrl+o"], doc: "Fold" },
]);
const providers = keyTable("settings: providers", [{ id: "login", keys: ["l"], doc: "Log in" }]);
const tables = [input, chat, more, anywhere, providers];
const pressed = (name: string, keymap?: Keymap) =>
  ({
    type: "key",
    name,
    text: "",
    ctrl: false,
    alt: false,
    shift: false,
    meta: false,
    ...(keymap ? { keymap } : {}),
  }) as const;

describe("keys that a person chose", () => {
  it("take the place of an action's own", () => {
    const keymap = new Keymap(tables, { "chat.todos": ["F2", "ctrl+x t"] });
    expect(chat.idOf(pressed("f2", keymap))).toBe("todos");
    expect(chat.idOf(pressed("ctrl+x t", keymap))).toBe("todos");
    expect(chat.idOf({ ...pressed("t", keymap), ctrl: true })).toBeUndefined();
    expect(keymap.problems).toEqual([]);
  });

  it("leave all others as they are", () => {
    const keymap = new Keymap(tables, { "chat.todos": [] });
    expect(keymap.keysOf("chat.todos")).toEqual([]);
    expect(input.idOf(pressed("enter", keymap))).toBe("submit");
    expect(input.idOf(pressed("enter"))).toBe("submit");
  });

  it("of one table mean nothing in another table of the same place", () => {
    const keymap = new Keymap(tables, { "chat.unqueue": ["f3"] });
    expect([more.idOf(pressed("f3", keymap)), chat.idOf(pressed("f3", keymap))]).toEqual(["unqueue", undefined]);
  });

  it("have the last word of a place as the name of it", () => {
    expect(new Keymap(tables, { "providers.login": ["f4"] }).keysOf("providers.login")).toEqual(["f4"]);
  });

  it.each([
    [{ "chat.agens": ["f2"] }, ['There is no action "chat.agens". Did you mean chat.agents?']],
    [{ zzz: ["f2"] }, ['There is no action "zzz". /keys lists the actions.']],
    [{ "chat.todos": ["f99"] }, ['chat.todos: There is no key "f99".']],
    [{ "chat.todos": ["x"] }, ["chat.todos: X is needed for typing."]],
    [{ "input.keySheet": ["?", "f1"] }, []],
    [{ "anywhere.interrupt": [] }, ["anywhere.interrupt must have a key; it keeps Ctrl+C."]],
    [{ "chat.todos": ["ctrl+o"] }, ["Ctrl+O is the key of chat.todos and of anywhere.fold: only one of them works."]],
    [{ "chat.todos": ["enter"] }, ["Enter is the key of input.submit and of chat.todos: only one of them works."]],
    [{ "providers.login": ["enter"] }, []],
    [{ "chat.todos": ["ctrl+x"] }, ["Ctrl+X begins chords, so chat.todos cannot use it alone."]],
    [{ "chat.todos": ["ctrl+o"], "anywhere.fold": ["ctrl+t"] }, []],
  ])("that cannot be used are reported: %j", (chosen, problems) => {
    expect(new Keymap(tables, chosen).problems).toEqual(problems);
  });
});

import type { SettingView } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { editableText, holdsSecret, valueText } from "./shown-value.ts";
import { cycled, parsedValue } from "./state.ts";

const view = (changes: Partial<SettingView>): SettingView => ({
  key: "k",
  title: "K",
  group: "Look",
  doc: "d",
  type: "text",
  value: "",
  default: "",
  takesEffect: "now",
  source: "default",
  ...changes,
});

describe("settings as a person sees and types them", () => {
  it.each([
    [null, "(not set)"],
    ["", "(not set)"],
    [true, "yes"],
    [false, "no"],
    [8192, "8192"],
    ["plan", "plan"],
    [["npm test", "make"], "npm test, make"],
    [["a,b"], '["a,b"]'],
    [[], "(none)"],
  ])("shows %j as %s", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it.each([
    [{ value: ["a", "b"] }, "a, b"],
    [{ value: ["mine", "theirs"], own: ["mine"] }, "mine"],
    [{ value: ["built in", "theirs"], own: null }, ""],
    [{ value: null }, ""],
  ])("starts to edit the list %j as %j", (list, text) => {
    expect(editableText(view({ type: "list", ...list }))).toBe(text);
  });

  it("cycles choices round both ends, and yes with no", () => {
    const choice = view({ type: "choice", choices: ["a", "b", "c"], value: "c" });
    expect(cycled(choice, 1)).toBe("a");
    expect(cycled({ ...choice, value: "a" }, -1)).toBe("c");
    expect(cycled(view({ type: "boolean", value: true }), 1)).toBe(false);
    expect(cycled(view({ type: "text", value: "x" }), 1)).toBeUndefined();
  });

  it.each([
    ["100", { value: 100 }],
    [" 32,768 ", { value: 32768 }],
    ["", { value: null }],
    ["ten", { problem: '"ten" is not a number. Type digits only, or nothing for the default.' }],
  ])("reads the number %j", (text, expected) => {
    expect(parsedValue(view({ type: "number" }), text)).toEqual(expected);
  });

  it("takes a text, and a list in a line, as it is", () => {
    expect(parsedValue(view({}), " be brief ")).toEqual({ value: " be brief " });
  });

  it.each([
    ["http://user:pass@host:8888/x", "http://•••@host:8888/x"],
    ["time=uvx server --token abc123", "time=uvx server --token •••"],
    ["x=npx y API_KEY=abc", "x=npx y API_KEY=•••"],
    ["Authorization: Bearer abcdef", "Authorization: Bearer •••"],
    ["use sk-0123456789abcdef now", "use ••• now"],
    [
      ['{"name":"gh","command":"npx","args":["-y"],"env":{"GH":"abc","B":"2"}}'],
      '["{\\"name\\":\\"gh\\",\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\"],\\"env\\":{\\"GH\\":\\"•••\\",\\"B\\":\\"•••\\"}}"]',
    ],
  ])("never shows the secret in %j", (value, text) => {
    expect(valueText(value)).toBe(text);
    expect(holdsSecret(value)).toBe(true);
  });

  it.each([
    ["qwen3-coder"],
    ["http://localhost:8888"],
    [["npm test", "make"]],
    [["a,b"]],
    [true],
    [null],
    [""],
    [8192],
  ])("%j holds no secret", (value) => {
    expect(holdsSecret(value)).toBe(false);
  });
});

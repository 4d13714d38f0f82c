import { describe, expect, it } from "vitest";
import { alternateRoles } from "./alternate-roles.ts";

const user = (content: unknown) => ({ role: "user", content });
const says = (content: unknown) => ({ role: "assistant", content });
const calls = { role: "assistant", content: null, tool_calls: [{ id: "a" }] };
const result = { role: "tool", tool_call_id: "a", content: "b" };
const system = { role: "system", content: "s" };
const picture = { type: "image_url", image_url: { url: "data:," } };

/** The rule of the templates themselves. */
function alternate(messages: readonly Record<string, unknown>[]): boolean {
  const counted = messages.filter(({ role, tool_calls }) => role !== "system" && role !== "tool" && !tool_calls);
  return counted.every(({ role }, index) => role === (index % 2 === 0 ? "user" : "assistant"));
}

const conversations: [name: string, messages: Record<string, unknown>[], roles: string][] = [
  ["a failed turn", [system, user("a"), user("b")], "system user"],
  ["a summary before the person", [user("summary"), user("a"), says("b"), user("c")], "user assistant user"],
  ["a turn cut before its answer", [user("a"), calls, result, user("b")], "user assistant tool assistant user"],
  [
    "a picture of a result",
    [user("a"), calls, result, user([picture]), says("b")],
    "user assistant tool assistant user assistant",
  ],
  [
    "a picture of a result, and the person",
    [user("a"), calls, result, user([picture]), user("c")],
    "user assistant tool assistant user",
  ],
  ["two replies", [user("a"), says("b"), says("c"), user("d")], "user assistant user"],
  ["a reply and its call", [user("a"), says("b"), calls, result, says("c")], "user assistant tool assistant"],
  ["a reply first", [says("a"), user("b")], "user assistant user"],
  [
    "two calls",
    [user("a"), calls, result, calls, result, says("b"), user("c")],
    "user assistant tool assistant tool assistant user",
  ],
];

describe("messages for templates that want the roles to alternate", () => {
  it.each(conversations)("take turns: %s", (_name, messages, roles) => {
    const sent = alternateRoles(messages);
    expect(sent.map(({ role }) => role).join(" ")).toBe(roles);
    expect(alternate(sent)).toBe(true);
    expect(alternateRoles(sent)).toEqual(sent);
  });

  it("keep every word and every part", () => {
    expect(alternateRoles([user("a"), user("b")])).toEqual([user("a\n\nb")]);
    expect(alternateRoles([user("a"), user([picture])])).toEqual([user([{ type: "text", text: "a" }, picture])]);
    expect(alternateRoles([user("q"), says("a"), { ...calls }])).toEqual([user("q"), { ...calls, content: "a" }]);
  });

  it("stay as they are where they alternate", () => {
    const messages = [system, user("a"), calls, result, says("b"), user("c")];
    expect(alternateRoles(messages)).toEqual(messages);
  });

  it("begin as they did before a message was added", () => {
    const messages = [user("a"), calls, result, user("b"), user("c")];
    const before = JSON.stringify(alternateRoles(messages.slice(0, 4)));
    expect(JSON.stringify(alternateRoles(messages)).startsWith(before.slice(0, -'"}]'.length))).toBe(true);
  });
});

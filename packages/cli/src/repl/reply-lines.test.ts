import { ROOT_AGENT, type SessionUpdate } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ReplyLines } from "./reply-lines.ts";

const TEXT = "\n\nFirst.\n\n```ts\na();\n\n\n  b();\n```\n\n";
const LINES = "First.\n\n```ts\na();\n\n\n  b();\n```";

const updateOf = (update: object) => ({ sessionId: "s", agentId: ROOT_AGENT, update }) as SessionUpdate;
const chunk = (text: string, offset: number) =>
  updateOf({ sessionUpdate: "agent_message_chunk", messageId: "m", text, offset });
const whole = updateOf({ sessionUpdate: "agent_message", messageId: "m", parts: [{ type: "text", text: TEXT }] });

describe("the lines of a reply", () => {
  it.each([1, 2, 3, 7, TEXT.length])("are the same in pieces of %i characters: empty lines within count", (size) => {
    const lines = new ReplyLines();
    const said: string[] = [];
    for (let at = 0; at < TEXT.length; at += size) said.push(...lines.see(chunk(TEXT.slice(at, at + size), at)));
    said.push(...lines.see(whole));
    expect(said.join("\n")).toBe(LINES);
  });
});

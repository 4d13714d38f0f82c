import type { Question } from "@harness/client";
import { describe, expect, it } from "vitest";
import { MemoryPeer } from "../../test/memory-peer.ts";
import { AddressAsker, webAddress } from "./address-asker.ts";

const question: Question = {
  sessionId: "s",
  elicitationId: "e",
  agentId: "main",
  message: "Open this",
  options: [
    { optionId: "opened", name: "I have opened it" },
    { optionId: "no", name: "No" },
  ],
  freeText: false,
};

it.each([
  ["https://example.com/a?b", "https://example.com/a?b"],
  ["http://127.0.0.1:9/x", "http://127.0.0.1:9/x"],
  ["javascript:alert(1)", undefined],
  ["file:///etc/passwd", undefined],
  ["vscode://x/run", undefined],
  ["https://github.com@evil.example/login", undefined],
  ["https://:x@evil.example/", undefined],
  ["https://g\u0456thub.com/", "https://xn--gthub-n2e.com/"],
  ["https://example.com/\u202e\n\u001b[2J", "https://example.com/%E2%80%AE%1B[2J"],
  ["no address", undefined],
  [undefined, undefined],
])("%s is opened as %s", (url, address) => {
  expect(webAddress(url === undefined ? {} : { url })).toBe(address);
});

it("an address that is longer than people are shown is not opened", () => {
  expect(webAddress({ url: `https://example.com/${"a".repeat(2_000)}` })).toBeUndefined();
});

describe("a question about an address", () => {
  const asked = async (answer: unknown) => {
    const peer = new MemoryPeer();
    peer.answer = () => answer;
    const asker = new AddressAsker(peer);
    const signal = new AbortController().signal;
    return await asker.ask({ question, url: "https://example.com/", sessionId: "s", signal });
  };

  it.each([
    [{ action: "accept" }, { action: "accept", optionId: "opened" }],
    [{ action: "cancel" }, { action: "cancel" }],
    [{ action: "decline" }, { action: "decline" }],
    [{ yes: true }, { action: "decline" }],
    [undefined, { action: "decline" }],
  ])("that is answered with %j is %j", async (answer, expected) => expect(await asked(answer)).toEqual(expected));

  it("that the client cannot ask is declined", async () => {
    const asker = new AddressAsker(new MemoryPeer());
    const { signal } = new AbortController();
    const answer = await asker.ask({ question, url: "https://example.com/", sessionId: "s", signal });
    expect(answer).toEqual({ action: "decline" });
  });
});

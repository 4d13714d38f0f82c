import { describe, expect, it } from "vitest";
import { StreamError } from "./failure.ts";
import { isOddEnd, stopFor } from "./finish-reason.ts";

describe("the word with which a server ends a reply", () => {
  it.each([
    ["stop", "end"],
    ["STOP", "end"],
    ["eos_token", "end"],
    ["", "end"],
    ["constructor", "end"],
    ["tool_use", "tool_calls"],
    ["MAX_TOKENS", "length"],
    ["model_context_window_exceeded", "length"],
    ["content_filter: PROHIBITED_CONTENT", "refusal"],
    ["RECITATION", "refusal"],
  ])("may end it: %s", (word, stop) => {
    expect(stopFor(word)).toBe(stop);
  });

  it.each([
    "error",
    "malformed_function_call",
    "MALFORMED_FUNCTION_CALL",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
    "unexpected_tool_call",
    "abort",
    "aborted",
    "cancelled",
    "canceled",
    "overloaded",
    "engine_overloaded",
    "insufficient_system_resource",
    "network_error",
    "timeout",
    "time_out",
    "server_error",
    "internal_error",
    "failed",
    "preempted",
    "interrupted",
    "service_unavailable",
  ])("may be a failure, so that half an answer is none: %s", (word) => {
    expect(() => stopFor(word)).toThrow(StreamError);
  });

  it.each([
    ["stop", false],
    ["EOS", false],
    ["", false],
    ["content_filter: OTHER", false],
    ["moderation_hold", true],
    ["constructor", true],
  ])("may be one that nobody knows: %s", (word, isOdd) => {
    expect(isOddEnd(word)).toBe(isOdd);
  });

  it("says what happened, in the server's words where it has some", () => {
    expect(() => stopFor("cancelled")).toThrow("the server stopped in the middle of its reply (cancelled)");
    expect(() => stopFor("error", { message: "The GPU is on fire." })).toThrow("The GPU is on fire.");
  });
});

import { describe, expect, it } from "vitest";
import { leakedThinking } from "./leaked-thinking.ts";
import { THINK_TAGS, ThinkSplitter } from "./think-splitter.ts";

describe("leakedThinking", () => {
  it.each<[string, string, string, string]>([
    ["at the beginning", "<think>\nHm.\n</think>\n\nYes.", "Hm.", "Yes."],
    ["after white space", "\n\n <think>Hm.</think>Yes.", "Hm.", "Yes."],
    ["empty ones (Qwen 3 without thinking)", "<think>\n\n</think>\n\nYes.", "", "Yes."],
    ["the reply ends among them", "<think>\nHm. And then", "Hm. And then", ""],
    ["nothing after them", "<think>\nHm.\n</think>\n\n", "Hm.", ""],
    ["nothing but them, in one line", "<think>I will look at it soon.</think>\n\n", "I will look at it soon.", ""],
    ["nothing but a pair of tags", "<think> … </think>", "…", ""],
    ["nothing but them, which the template had opened", "I will look.\n</think>\n", "I will look.", ""],
    ["nothing but them, without an end", "<think>I will look at it", "I will look at it", ""],
    ["the template had opened them", "Hm.\n</think>\n\nYes.", "Hm.", "Yes."],
    ["the closing tag after words and before a line end", "Hm.</think>\n\nYes.", "Hm.", "Yes."],
    ["another tag among them", "<think>a </thinking> b</think>c", "a </thinking> b", "c"],
    ["a call after them", "<think>Hm.</think><tool_call>{}</tool_call>", "Hm.", "<tool_call>{}</tool_call>"],
    ["a second pair stays", "<think>a</think>b <think>c</think>", "a", "b <think>c</think>"],
    ...THINK_TAGS.map(({ open, close }): [string, string, string, string] => [open, `${open}a${close}b`, "a", "b"]),
  ])("finds %s", (_why, text, thinking, rest) => {
    expect(leakedThinking(text)).toEqual({ thinking, text: rest });
  });

  it.each([
    ["no tags", "Yes."],
    ["tags later on", "Yes. <think>Hm.</think>"],
    ["a tag within a line", "The tag </think> ends them."],
    ["a tag as code", "It ends with `</think>`\nas you see."],
    ["a tag in a fence", "```\n</think>\n```\nends them."],
    ["two closing tags", "a\n</think>\nb\n</think>\nc"],
    ["half a tag", "<thin"],
    ["another tag", "<thing>x</thing>"],
    ["an answer that begins with the word", "<think> is the tag that Qwen uses. Close it with a slash."],
    ["an answer that explains the tag", "<thinking> tags are removed by the window.\n\nUse them so."],
    ["nothing", ""],
  ])("leaves %s alone", (_why, text) => {
    expect(leakedThinking(text)).toBeUndefined();
  });
});

describe("leakedThinking of an unfinished reply", () => {
  it.each([
    ["it was cut among them", "<think>Hm. And", "Hm. And"],
    ["calls follow them", "<think>Hm.</think>", "Hm."],
    ["calls follow the closing tag", "Hm.\n</think>", "Hm."],
  ])("takes all of it: %s", (_why, text, thinking) => {
    expect(leakedThinking(text, { goesOn: true })).toEqual({ thinking, text: "" });
  });
});

describe("ThinkSplitter", () => {
  it("shows text that begins with no tag at once", () => {
    const splitter = new ThinkSplitter();
    expect(splitter.push("Yes")).toEqual({ text: "Yes", thinking: "" });
    expect(splitter.push("<think>")).toEqual({ text: "<think>", thinking: "" });
  });

  it("holds back no more than half a tag", () => {
    const splitter = new ThinkSplitter();
    expect(splitter.push("<thi")).toEqual({ text: "", thinking: "" });
    expect(splitter.push("nk>a </th")).toEqual({ text: "", thinking: "a " });
    expect(splitter.push("e")).toEqual({ text: "", thinking: "</the" });
    expect(splitter.push("</think>\n")).toEqual({ text: "", thinking: "" });
    expect(splitter.push("\nYes.\n\n")).toEqual({ text: "Yes.\n\n", thinking: "" });
    expect(splitter.end()).toEqual({ text: "", thinking: "" });
  });

  it("loses nothing when the reply ends in half a tag", () => {
    const start = new ThinkSplitter();
    start.push(" <th");
    expect(start.end()).toEqual({ text: " <th", thinking: "" });
    const inside = new ThinkSplitter();
    inside.push("<think>a</");
    expect(inside.end()).toEqual({ text: "", thinking: "</" });
  });
});

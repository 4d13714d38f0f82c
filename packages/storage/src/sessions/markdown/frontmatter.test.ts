import { describe, expect, it } from "vitest";
import { splitFrontmatter } from "./frontmatter.ts";

describe("splitFrontmatter", () => {
  const cases: [string, string, Record<string, string> | undefined, string][] = [
    ["fields and a body", "---\nrole: user\nmood: good\n---\nHello.\n", { role: "user", mood: "good" }, "Hello."],
    ["a body alone", "Hello.\n", undefined, "Hello."],
    ["a rule in the body", "---\nrole: user\n---\none\n---\ntwo\n", { role: "user" }, "one\n---\ntwo"],
    ["text between two rules", "---\nHello: you.\n---\nBye.\n", undefined, "---\nHello: you.\n---\nBye."],
    ["a rule first", "---\nHello.\n", undefined, "---\nHello."],
    ["no fields", "---\n---\nHello.\n", {}, "Hello."],
    ["Windows' ends of lines", "---\r\nrole: user\r\n---\r\na\r\nb\r\n", { role: "user" }, "a\nb"],
    ["Windows' ends without fields", "a\r\nb\r\n", undefined, "a\nb"],
    ["some ends of Windows", "a\r\nb\n", undefined, "a\r\nb"],
    ["a mark of the byte order", "\ufeff---\nrole: user\n---\na", { role: "user" }, "a"],
  ];
  it.each(cases)("reads %s", (_name, text, fields, body) => {
    const read = splitFrontmatter(text);
    expect(read.body).toBe(body);
    expect(read.fields && Object.fromEntries(read.fields)).toEqual(fields);
  });
});

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
    ["no end of the fields", "---\nrole: user\nseq: 1\nHello: you.\n", { role: "user", seq: "1" }, "Hello: you."],
    ["no end, and a rule later", "---\nrole: user\none\n---\ntwo\n", { role: "user" }, "one\n---\ntwo"],
    ["no begin of the fields", "role: user\nseq: 1\n---\none\n", { role: "user", seq: "1" }, "one"],
    ["fields alone", "---\nrole: user", { role: "user" }, ""],
    ["a text that speaks of roles", "role: user\nis what I want.\n", undefined, "role: user\nis what I want."],
    ["fields of YAML", "---\nrole: user\ntags:\n  - a\n- b\n# c\n---\none", { role: "user", tags: "" }, "one"],
    ["a mark of the byte order", "\ufeff---\nrole: user\n---\na", { role: "user" }, "a"],
  ];
  it.each(cases)("reads %s", (_name, text, fields, body) => {
    const read = splitFrontmatter(text);
    expect(read.body).toBe(body);
    expect(read.fields && Object.fromEntries(read.fields)).toEqual(fields);
  });
});

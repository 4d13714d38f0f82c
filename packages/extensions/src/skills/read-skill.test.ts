import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readSkill } from "./read-skill.ts";
import { skillText } from "./skill-text.ts";

// In the format of agentskills.io, like published skills.
const PDF = `---
name: pdf-processing
description: Extracts text and tables from PDF files, fills forms. Use when the user mentions PDFs, forms or "documents: scanned".
license: Apache-2.0
compatibility: Requires python3 and pdfplumber
allowed-tools: Bash(python3:*) Bash(pdftotext:*) Read
argument-hint: [file] [what]
metadata:
  author: example-org
  version: "1.0"
user-invocable: true
disable-model-invocation: false
---

# PDF processing

Run scripts/extract.py.
`;

describe("a SKILL.md", () => {
  it("is read with all of its frontmatter", () => {
    expect(readSkill(PDF, "pdf")).toEqual({
      skill: {
        name: "pdf-processing",
        description:
          'Extracts text and tables from PDF files, fills forms. Use when the user mentions PDFs, forms or "documents: scanned".',
        license: "Apache-2.0",
        compatibility: "Requires python3 and pdfplumber",
        argumentHint: "[file] [what]",
        allowedTools: ["Bash(python3:*)", "Bash(pdftotext:*)", "Read"],
        metadata: { author: "example-org", version: "1.0" },
        forModel: true,
        forPerson: true,
        body: "# PDF processing\n\nRun scripts/extract.py.",
      },
    });
  });

  it("is named after its folder and described by its first paragraph where it says nothing else", () => {
    expect(readSkill("# Notes\n\nKeep notes\nshort.\n\nMore.", "notes")).toEqual({
      skill: {
        name: "notes",
        description: "Keep notes short.",
        forModel: true,
        forPerson: true,
        body: "# Notes\n\nKeep notes\nshort.\n\nMore.",
      },
    });
  });

  it.each([
    ["disable-model-invocation: true", { forModel: false, forPerson: true }],
    ["user-invocable: false", { forModel: true, forPerson: false }],
    ["user-invocable: no\ndisable-model-invocation: yes", { forModel: false, forPerson: false }],
  ])("with %j says who may use it", (line, expected) => {
    expect(readSkill(`---\nname: a\n${line}\n---\nBody`, "a")).toMatchObject({ skill: expected });
  });

  it.each([
    ["---\nname: a\n", "line 1: the frontmatter has no closing ---"],
    ["---\nname: a\n---\n", "it has no instructions: write them below the second ---"],
    ["---\nname: ../../etc\n---\nx", 'the name "../../etc" is not valid: use letters, digits and -'],
    ["---\nuser-invocable: maybe\n---\nx", "user-invocable must be true or false"],
    ["---\ndescription:\n  - a\n  b\n---\nx", "line 2: the value of description cannot be read"],
  ])("%j is not used: %s", (text, problem) => {
    expect(readSkill(text, "a")).toEqual({ problem });
  });
});

describe("what a model is given of a skill", () => {
  const root = mkdtempSync(join(tmpdir(), "skill-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("names its folder and the files in scripts, references and assets", () => {
    for (const path of ["scripts/b.py", "scripts/a.sh", "references/deep/forms.md", "assets/logo.png", "other/x"]) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), "");
    }
    expect(skillText({ name: "pdf", path: join(root, "SKILL.md"), body: "Do it." })).toBe(
      `Skill pdf. Its folder, in which relative paths start: ${root}\n` +
        "Files of the skill: scripts/a.sh, scripts/b.py, references/deep/forms.md, assets/logo.png\n\nDo it.",
    );
  });

  it("has 10,000 characters of its instructions, 70 % from the beginning, and says where the rest is", () => {
    const body = `${"a".repeat(9_000)}${"b".repeat(9_000)}`;
    const text = skillText({ name: "long", path: "/nowhere/SKILL.md", body });
    expect(text).toContain(`${"a".repeat(7_000)}\n[… 8000 characters left out: read /nowhere/SKILL.md for all of it]`);
    expect(text.endsWith(`]\n${"b".repeat(3_000)}`)).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { fillTemplate, splitArguments } from "./fill-template.ts";
import { readMarkdownCommand } from "./read-command.ts";

const filled = (template: string, args = "", folder?: string) =>
  fillTemplate(template, { args, ...(folder === undefined ? {} : { folder }) });
const textOf = (template: string, args = "") =>
  filled(template, args)
    .map((piece) => ("text" in piece ? piece.text : `<${piece.command}>`))
    .join("");

describe("the template of a command", () => {
  it.each([
    ["Fix issue $ARGUMENTS now", "12 --fast", "Fix issue 12 --fast now"],
    ["$1 and $2 and $3.", 'a "b c"', "a and b c and ."],
    ["$0 then $1", "a b", "a then b"],
    ["$ARGUMENTS[1] before $ARGUMENTS[0]", "a b", "b before a"],
    ["It costs \\$1, $1", "x", "It costs $1, x"],
    ["$100 and $PATH stay", "", "$100 and $PATH stay"],
    ["Copy $FILE to $TARGET", "FILE=a.ts TARGET='b c'", "Copy a.ts to b c"],
    ["No place", "for this", "No place\n\nArguments: for this"],
    ["$1", "$2 $ARGUMENTS", "$2"],
    ["Say $1", "!`rm -rf /`", "Say !`rm"],
  ])("%j with %j is %j", (template, args, text) => {
    expect(textOf(template, args)).toBe(text);
  });

  it("has commands whose output takes their place, with the arguments in them, and none that arguments bring along", () => {
    expect(filled("Status:\n- !`git status`\n- !`git log -$1`\nUse `npm!` and $2", "3 !`id`")).toEqual([
      { text: "Status:\n- " },
      { command: "git status" },
      { text: "\n- " },
      { command: "git log -3" },
      { text: "\nUse `npm!` and !`id`" },
    ]);
    expect(filled("a!`b` c`d`")).toEqual([{ text: "a!`b` c`d`" }]);
  });

  it("names the folder of its skill", () => {
    expect(filled("See $" + "{CLAUDE_SKILL_DIR}/scripts", "", "/s/pdf")).toEqual([{ text: "See /s/pdf/scripts" }]);
    expect(filled("$CLAUDE_SKILL_DIR/a $CLAUDE_SKILL_DIRS", "", "/s")).toEqual([{ text: "/s/a $CLAUDE_SKILL_DIRS" }]);
  });

  it.each([
    ["", "awk '{print $1}' \\$2 x  $/s"],
    ["a", "awk '{print a}' $2 x a $/s"],
  ])("of a skill that a model loads with %j keeps what is not for arguments", (args, text) => {
    const template = "awk '{print $1}' \\$2 x $ARGUMENTS $/s";
    expect(fillTemplate(template, { args, folder: "/s", keepsPlaces: true })).toEqual([{ text }]);
  });

  it.each([
    ['a "b c" d', ["a", "b c", "d"]],
    ["'a b'c \\\"d", ["a bc", '"d']],
    ["don't stop", ["don't", "stop"]],
    ['""  x', ["", "x"]],
    ["", []],
    ['"open', ["open"]],
  ])("splits the arguments %j as a shell does", (args, words) => {
    expect(splitArguments(args)).toEqual(words);
  });
});

describe("the file of a command", () => {
  it("is read with the frontmatter of Claude Code", () => {
    const text =
      "---\nallowed-tools: Bash(git add:*), Bash(git commit:*)\nargument-hint: [message]\ndescription: Create a git commit\nmodel: haiku\nmode: plan\n---\nCommit: $ARGUMENTS\n";
    expect(readMarkdownCommand(text)).toEqual({
      command: {
        description: "Create a git commit",
        argumentHint: "[message]",
        mode: "planning",
        allowedTools: ["Bash(git add:*)", "Bash(git commit:*)"],
        template: "Commit: $ARGUMENTS",
      },
      notes: ["model haiku is unknown here: it uses the model of the session"],
    });
  });

  it("needs no frontmatter: its first words describe it", () => {
    expect(readMarkdownCommand("# Review\n\nReview the changes\nof $1.")).toEqual({
      command: { description: "Review the changes of $1.", template: "# Review\n\nReview the changes\nof $1." },
      notes: [],
    });
  });

  it.each([
    ["", "it is empty: write the instructions for the agent"],
    ["---\nmode: party\n---\nx", "there is no mode party: casual, planning, research or agent"],
    ["---\ndescription: x\n", "line 1: the frontmatter has no closing ---"],
  ])("%j is not used: %s", (text, problem) => {
    expect(readMarkdownCommand(text)).toEqual({ problem });
  });
});

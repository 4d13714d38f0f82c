import { describe, expect, it } from "vitest";
import { settingRules } from "./rule-set.ts";

describe("the prefixes that settings deny", () => {
  it.each([
    ["git push", "git push"],
    ["npm *", "npm"],
    [" npm:* ", "npm"],
    ["git  commit *", "git  commit"],
  ])("%j are the beginning of a command", (prefix, raw) => {
    const { rules, problems, everythingAsks } = settingRules({ deniedCommandPrefixes: [prefix] });
    expect(rules.map(({ subject }) => subject?.command)).toEqual([{ argv: raw.split(/\s+/), rest: "any", raw }]);
    expect({ problems, everythingAsks }).toEqual({ problems: [], everythingAsks: false });
  });

  it.each(["*", "npm*", "rm *.o", "npm ru?"])("%j would not be met: it is told, and everything is asked", (prefix) => {
    expect(settingRules({ deniedCommandPrefixes: [prefix] })).toMatchObject({
      rules: [{ decision: "deny", text: prefix }],
      problems: [
        expect.stringMatching(/signs that stand for nothing in a command.+Until it is fixed, everything is asked/),
      ],
      everythingAsks: true,
    });
  });

  it("may be lost in a file that cannot be read", () => {
    const unreadable = ["settings.json is not valid JSON."];
    expect(settingRules({ deniedCommandPrefixes: [], unreadable })).toEqual({
      rules: [],
      problems: unreadable,
      everythingAsks: true,
    });
  });
});

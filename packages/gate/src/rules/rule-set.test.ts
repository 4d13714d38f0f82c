import { describe, expect, it } from "vitest";
import { settingRules } from "./rule-set.ts";

describe("a denied command prefix in the settings", () => {
  it.each([
    ["git push", "git push"],
    ["npm *", "npm"],
    [" npm:* ", "npm"],
    ["git  commit *", "git  commit"],
  ])("is read: %j", (prefix, raw) => {
    const { rules, problems, everythingAsks } = settingRules({ deniedCommandPrefixes: [prefix] });
    expect(rules.map(({ subject }) => subject?.command)).toEqual([{ argv: raw.split(/\s+/), rest: "any", raw }]);
    expect({ problems, everythingAsks }).toEqual({ problems: [], everythingAsks: false });
  });

  it.each(["*", "npm*", "rm *.o", "npm ru?"])(
    "is reported when it could never match, and every call asks: %j",
    (prefix) => {
      expect(settingRules({ deniedCommandPrefixes: [prefix] })).toMatchObject({
        rules: [{ decision: "deny", text: prefix }],
        problems: [
          expect.stringMatching(/characters that mean nothing here.+Until it is fixed, harness asks about everything/),
        ],
        everythingAsks: true,
      });
    },
  );

  it("may be lost in an unreadable file", () => {
    const unreadable = ["settings.json is not valid JSON."];
    expect(settingRules({ deniedCommandPrefixes: [], unreadable })).toEqual({
      rules: [],
      problems: unreadable,
      everythingAsks: true,
    });
  });
});

import { describe, expect, it } from "vitest";
import { mentionRefusal } from "./mention-refusal.ts";
import { runRules } from "./rules/rule-set.ts";

const links: Readonly<Record<string, string>> = { "/w/link": "/etc/passwd", "/w/name": "/w/.env", "/w": "/w" };
const paths = { real: async (path: string) => links[path] ?? path };
const deny = ["read(src/private/**)"];
const { rules } = runRules({ allow: [], deny }, [{ name: "read", subject: "path" }]);
const refusal = (path: string, allowsOutside = false) =>
  mentionRefusal(path, { folders: ["/w", "/more"], paths, rules, allowsOutside });

describe("a mention of a file", () => {
  it.each([
    ["/w/src/a.ts", undefined],
    ["/more/a.ts", undefined],
    ["/w/.env", /^may hold secrets/],
    ["/w/name", /^may hold secrets/],
    ["/w/link", /^is outside the workspace/],
    ["/w/src/private/a.ts", /^is denied by the rule `read\(src\/private\/\*\*\)`/],
    ["/else/a.ts", /^is outside the workspace/],
  ])("of %s is refused: %s", async (path, words) => {
    const reason = await refusal(path);
    if (words) expect(reason).toMatch(words);
    else expect(reason).toBeUndefined();
  });

  it("outside the workspace is read once the user has confirmed it, unless it may hold secrets", async () => {
    expect(await refusal("/else/a.ts", true)).toBeUndefined();
    expect(await refusal("/else/.env", true)).toMatch(/^may hold secrets/);
    expect(await refusal("/w/src/private/a.ts", true)).toMatch(/^is denied/);
  });
});

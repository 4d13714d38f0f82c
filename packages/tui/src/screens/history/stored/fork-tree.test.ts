import type { SessionSummary } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { summaryOf } from "../../../../test/scripted-server.ts";
import { forkRows } from "./fork-tree.ts";

/** `child<parent`: sessions, newest first. */
function sessions(...names: string[]): SessionSummary[] {
  return names.map((each) => {
    const [id = "", parent] = each.split("<");
    return summaryOf(id, parent === undefined ? {} : { parent: { sessionId: parent, seq: 3 } }) as SessionSummary;
  });
}

function drawn(list: SessionSummary[], folded: string[] = []): string[] {
  return forkRows(list, new Set(folded)).map(
    ({ session, branch, forks, isFolded }) =>
      `${branch}${session.sessionId}${forks > 0 ? ` ${isFolded ? "▸" : "▾"}${forks}` : ""}`,
  );
}

describe("the tree of forks", () => {
  it.each<[what: string, list: string[], folded: string[], rows: string[]]>([
    ["sessions without forks stay in their order", ["c", "b", "a"], [], ["c", "b", "a"]],
    ["a newer fork stands below its older parent", ["f<a", "b", "a"], [], ["a ▾1", "└ f", "b"]],
    ["an older parent is lifted, whatever is between", ["x", "f<a", "c", "b", "a"], [], ["x", "a ▾1", "└ f", "c", "b"]],
    ["forks of forks", ["d<b", "c<a", "b<a", "a"], [], ["a ▾3", "├ c", "└ b ▾1", "  └ d"]],
    ["the line of a branch goes on to the next", ["d<c", "c<a", "b<a", "a"], [], ["a ▾3", "├ c ▾1", "│ └ d", "└ b"]],
    ["a parent that is not listed", ["f<gone", "a"], [], ["f", "a"]],
    ["folded", ["d<b", "c<a", "b<a", "a", "z"], ["a"], ["a ▸3", "z"]],
    ["folded in the middle", ["d<b", "c<a", "b<a", "a"], ["b"], ["a ▾3", "├ c", "└ b ▸1"]],
    ["folding what has no forks changes nothing", ["b", "a"], ["a"], ["b", "a"]],
    ["a session that claims to descend from itself", ["a<a"], [], ["a"]],
    ["two that claim to descend from each other", ["b<a", "a<b"], [], ["a ▾1", "└ b"]],
  ])("%s", (_, list, folded, rows) => {
    expect(drawn(sessions(...list), folded)).toEqual(rows);
  });

  it("does not indent a long chain without end, and takes one of 10,000", () => {
    const chain = Array.from({ length: 10_000 }, (_, n) => `s${n}<s${n + 1}`);
    const rows = forkRows(sessions(...chain), new Set());
    expect(rows).toHaveLength(10_000);
    expect(rows[0]).toMatchObject({ session: { sessionId: "s9999" }, forks: 9_999 });
    expect(Math.max(...rows.map(({ branch }) => branch.length))).toBeLessThanOrEqual(14);
  });
});

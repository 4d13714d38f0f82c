import { describe, expect, it } from "vitest";
import type { PastResult } from "./past-result.ts";
import { type PlannedCut, planForcedShrink, planShrink, type ShrinkOptions } from "./shrink-plan.ts";

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${n + 1}\tline ${n + 1} of ${name}`).join("\n");
const v1 = lines("a, version 1", 40);
const v2 = lines("a, version 2", 40);

type Row = Partial<PastResult> & { text: string };

const looks = (path: string, text: string, args = path): Row => ({
  text,
  key: `look ${args}`,
  title: `look ${path}`,
  category: "readOnly",
  effects: [{ kind: "read", path }],
});
const writes = (path: string): Row => ({
  text: "done",
  category: "destructive",
  effects: [{ kind: "write", path }],
});
const runs = (command: string, text: string): Row => ({
  text,
  key: `run ${command}`,
  category: "destructive",
  effects: [{ kind: "run", command, cwd: "/w" }],
});
const failed = (row: Row): Row => ({ ...row, isError: true });

/** Results of a conversation with one call per reply; the last two are recent. */
function conversation(rows: readonly Row[]): PastResult[] {
  return rows.map((row, index) => ({
    toolCallId: `c${index}`,
    title: "call",
    pictures: 0,
    isError: false,
    key: `only ${index}`,
    category: "readOnly",
    effects: [],
    age: rows.length - 1 - index,
    isOfOldTurn: true,
    ...row,
  }));
}

const pad = [writes("/w/x"), writes("/w/y")];

function planned(rows: readonly Row[], options: Partial<ShrinkOptions> = {}): PlannedCut[] {
  return planShrink(conversation([...rows, ...pad]), { neededChars: 1e6, inPlayChars: 0, ...options });
}
const said = (cuts: readonly PlannedCut[]) => cuts.map(({ result, reason }) => `${result.toolCallId} ${reason}`);

describe("an old result", () => {
  it.each<[string, Row[], string[], Partial<ShrinkOptions>?]>([
    ["goes where the same call was made again", [looks("/w/a", v1), looks("/w/a", v1)], ["c0 again"]],
    [
      "goes where the file was written and looked at again",
      [looks("/w/a", v1), writes("/w/a"), looks("/w/a", v2)],
      ["c0 again"],
    ],
    ["goes where a command ran again, also if it failed both times", [runs("t", v1), runs("t", v2)], ["c0 again"]],
    ["goes where a command failed before", [failed(runs("t", v1)), runs("t", v2)], ["c0 again"]],
    ["stays where the later call only failed", [looks("/w/a", v1), failed(looks("/w/a", "gone"))], []],
    [
      "goes where a later look shows every line of it",
      [looks("/w/a", v1.slice(0, 900), "a 1-30"), looks("/w/a", v1)],
      ["c0 contained"],
    ],
    ["stays where the later look shows another part", [looks("/w/a", v1, "a 1-40"), looks("/w/a", v2, "a 41-80")], []],
    [
      "goes where what it showed was changed, if it is not in play",
      [looks("/w/a", v1), writes("/w/a"), looks("/w/b", v2)],
      ["c0 changed"],
      { inPlayChars: v2.length },
    ],
    [
      "stays where what it showed was changed and is in play",
      [looks("/w/a", v1), writes("/w/a"), looks("/w/b", v2)],
      [],
      { inPlayChars: v1.length + v2.length },
    ],
    ["stays where it is short", [looks("/w/a", "one line"), looks("/w/a", "one line")], []],
    [
      "of a call that speaks to the loop stays",
      [
        { text: v1, category: "signal" },
        { text: v1, category: "signal" },
      ],
      [],
    ],
    [
      "of a call without a subject is not replaced by another",
      [
        { text: v1, key: "k" },
        { text: v1, key: "k" },
      ],
      [],
    ],
    [
      "is cut to its ends where it is long, the oldest first, until enough is saved",
      [runs("1", v1.repeat(3)), runs("2", v1.repeat(3)), runs("3", v1.repeat(3))],
      ["c0 long", "c1 long"],
      { neededChars: v1.length * 3 },
    ],
    [
      "that is long stays where useless ones bring enough",
      [runs("1", v1.repeat(9)), looks("/w/a", v1), looks("/w/a", v1)],
      ["c1 again"],
      { neededChars: 500, inPlayChars: 9_999 },
    ],
    ["loses its pictures once a person has spoken", [{ text: "a picture", pictures: 1 }], ["c0 picture"]],
    ["keeps its pictures in the same turn", [{ text: "a picture", pictures: 1, isOfOldTurn: false }], []],
  ])("an old result %s", (_name, rows, expected, order) => {
    expect(said(planned(rows, order))).toEqual(expected);
  });

  it("an old result is one that the model has answered twice: the last ones stay whole", () => {
    const rows = conversation([looks("/w/a", v1), looks("/w/a", v1), looks("/w/a", v1)]);
    expect(said(planShrink(rows, { neededChars: 1e6, inPlayChars: 0 }))).toEqual(["c0 again"]);
  });

  it("an old result is cut whatever it is when nothing else helps, but for the last ones", () => {
    const rows = conversation([looks("/w/a", v1), { text: v2, category: "signal" }, looks("/w/b", v2)]);
    expect(said(planForcedShrink(rows, 1))).toEqual(["c0 long", "c1 long"]);
  });
});

describe("files in play", () => {
  it("files in play are those that were touched last, the last one in any case", () => {
    const rows = [
      looks("/w/a", v1.repeat(2)),
      looks("/w/b", v1.repeat(2)),
      looks("/w/c", v1.repeat(2)),
      writes("/w/a"),
    ];
    expect(said(planned(rows, { inPlayChars: v1.length * 5 }))).toEqual(["c1 long"]);
    expect(said(planned(rows, { inPlayChars: 0 }))).toEqual(["c1 long", "c2 long"]);
  });

  it("files in play keep their present content whatever is cut: each has its last look whole", () => {
    let seed = 7;
    const next = (of: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % of;
    };
    for (let round = 0; round < 200; round += 1) {
      const versions = new Map<string, number>();
      const rows = Array.from({ length: 30 }, (_, n): Row => {
        const path = `/w/${next(4)}`;
        if (next(3) === 0) {
          versions.set(path, n);
          return writes(path);
        }
        return looks(path, lines(`${path} version ${versions.get(path) ?? 0}`, 20 + next(60)), `${path} ${next(2)}`);
      });
      const results = conversation(rows);
      const gone = new Set(
        planShrink(results, { neededChars: 1e6, inPlayChars: 1e6 }).map(({ result }) => result.toolCallId),
      );
      for (const path of ["/w/0", "/w/1", "/w/2", "/w/3"]) {
        const last = results.findLast(
          ({ category, effects }) => category === "readOnly" && effects[0]?.kind === "read" && effects[0].path === path,
        );
        if (last) expect(gone.has(last.toolCallId), `${path} in round ${round}`).toBe(false);
      }
    }
  });
});

import { expect, it } from "vitest";
import { CommitHistory } from "../history/commit-history.ts";
import type { DefinitionReader } from "../store/definition-reader.ts";
import { rankedMap } from "./ranked-map.ts";

type File = { path: string; names: string[]; inner?: string[] };

/** `uses`: how many other files have the name. */
function reader(files: readonly File[], uses: Readonly<Record<string, number>>): DefinitionReader {
  const all = files.map(({ path, names, inner = [] }, id) => ({ id, path, names: [...names, ...inner], inner }));
  const definerCount = (name: string) => all.filter(({ names }) => names.includes(name)).length;
  return {
    definingFiles: () => all,
    namesOf: (file) =>
      all[file]?.names.map((name) => ({ name, isInner: all[file]?.inner.includes(name) ?? false })) ?? [],
    definerCount,
    fileCount: (name) => (uses[name] ?? 0) + definerCount(name),
  };
}

const history = new CommitHistory(
  Array.from({ length: 60 }, (_, at) => ({
    id: String(at),
    time: 0,
    subject: "engine",
    body: "",
    files: [{ path: "src/busy.ts" }],
  })),
);

const map = (files: readonly File[], uses: Readonly<Record<string, number>>, limit = 9) =>
  rankedMap({ definitions: reader(files, uses), history }, limit);

it("has the files whose definitions most others use first, with the most used names", () => {
  const files = [
    { path: "src/rare.ts", names: ["rareThing"] },
    { path: "lib/often.ts", names: ["sometimesUsed", "oftenUsed", "neverUsed"] },
  ];
  expect(map(files, { rareThing: 2, sometimesUsed: 3, oftenUsed: 30 })).toEqual([
    { path: "lib/often.ts", names: ["oftenUsed", "sometimesUsed"] },
    { path: "src/rare.ts", names: ["rareThing"] },
  ]);
  expect(map(files, { oftenUsed: 30, rareThing: 2 }, 1)).toHaveLength(1);
});

it.each<[string, File[], Record<string, number>]>([
  [
    "changed often",
    [
      { path: "src/busy.ts", names: ["busyThing"] },
      { path: "lib/b.ts", names: ["calmThing"] },
    ],
    { busyThing: 9, calmThing: 9 },
  ],
  [
    "no test",
    [
      { path: "src/a.ts", names: ["codeThing"] },
      { path: "test/b.ts", names: ["testThing"] },
    ],
    { codeThing: 9, testThing: 20 },
  ],
  [
    "no method",
    [
      { path: "src/a.ts", names: ["outerThing"] },
      { path: "lib/b.ts", names: [], inner: ["innerThing"] },
    ],
    { outerThing: 9, innerThing: 20 },
  ],
  [
    "no plain word",
    [
      { path: "src/a.ts", names: ["splitThing"] },
      { path: "lib/b.ts", names: ["run"] },
    ],
    { splitThing: 9, run: 60 },
  ],
  [
    "one definer",
    [
      { path: "src/a.ts", names: ["myThing"] },
      { path: "lib/b.ts", names: ["ourThing"] },
      { path: "x/c.ts", names: ["ourThing"] },
    ],
    { myThing: 9, ourThing: 12 },
  ],
])("prefers a file that is %s", (_, files, uses) => {
  expect(map(files, uses)[0]?.path).toBe(files[0]?.path);
});

it("shows more folders before more files of one", () => {
  const one = Array.from({ length: 8 }, (_, at) => ({ path: `src/f${at}.ts`, names: [`thing${at}Of`] }));
  const uses = Object.fromEntries(one.map(({ names }) => [names[0] ?? "", 20]));
  const paths = map([...one, { path: "lib/other.ts", names: ["otherThing"] }], { ...uses, otherThing: 12 }, 4).map(
    ({ path }) => path,
  );
  expect(paths).toContain("lib/other.ts");
});

it("leaves out names that nobody uses or many files define, and words that are no names", () => {
  const same = ["a", "b", "c", "d"].map((each) => ({ path: `${each}.py`, names: ["mainLoop"] }));
  expect(
    map([...same, { path: "e.py", names: ["unusedThing", "with space"] }], { mainLoop: 50, "with space": 9 }),
  ).toEqual([]);
});

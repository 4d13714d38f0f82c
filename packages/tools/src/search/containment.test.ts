import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "@harness/gate";
import { numRuns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createGlob } from "../glob.ts";
import { createGrep } from "../grep.ts";
import { findFiles } from "./find-files.ts";

const glob = createGlob({ timeoutMs: 20_000 });
const grep = createGrep({ timeoutMs: 20_000, rgPath: null });

let trial: Trial;
let outside: string;
beforeEach(() => {
  trial = createTrial();
  outside = join(dirname(trial.root), "outside");
  mkdirSync(join(outside, "deep"), { recursive: true });
  writeFileSync(join(outside, "canary.txt"), "canary\n");
  writeFileSync(join(outside, "deep", "canary.txt"), "canary\n");
  trial.file("q/x.txt", "inside\n");
  trial.file("outside/x.txt", "inside\n");
  symlinkSync(outside, join(trial.root, "out"));
  symlinkSync("..", join(trial.root, "up"));
  symlinkSync(join(outside, "canary.txt"), join(trial.root, "link.txt"));
});
afterEach(() => trial.remove());

const ESCAPES = [
  "{.,q}./outside/*",
  ".{.,}/outside/*",
  ".{,.}/outside/*",
  "..{,}/outside/*",
  "{..,q}/outside/*",
  "{.}{.}/outside/*",
  "{.,}{.,}/outside/*",
  "q/{.,x}./../outside/*",
  "q/{..,x}/{..,x}/outside/*",
  "{q/..,q}/../outside/*",
  "{q,.{.,x}/outside}/*",
  "{TOP/outside,q}/*",
  "{TOP,q}/outside/*",
  "{,q}TOP/outside/*",
  "{/,q}TOP/outside/*",
  "{out,q}/*",
  "{out,q}/**",
  "{up,q}/outside/*",
  "{out,q}/canary.txt",
  "{link.txt,q}",
  "[o]ut/*",
  "ou[t]/canary.txt",
  "\\../outside/*",
  ".\\./outside/*",
  "{\\.,q}./outside/*",
  "{..\\,,..}/outside/*",
  "(..|q)/outside/*",
  "[.][.]/outside/*",
  "?(.)./outside/*",
];

describe("a file pattern", () => {
  it.each(ESCAPES)("does not lead out of the given folder: %s", async (row) => {
    const pattern = row.replace("TOP", dirname(trial.root));
    expect((await trial.run(glob, { pattern })).text).not.toMatch(/canary\.txt$/m);
    expect((await trial.run(grep, { pattern: "canary", glob: pattern })).text).not.toContain(":1:");
  });

  it("is refused with a reason when one of its alternatives leads out", async () => {
    const top = dirname(trial.root);
    for (const pattern of ["{.,q}./x/*", ".{,.}/x/*", "..{,}/x/*", `{${top},q}/*`]) {
      expect((await trial.run(glob, { pattern })).text, pattern).toMatch(/^Cannot search: /);
      const answer = await trial.run(grep, { pattern: "x", glob: pattern });
      expect(answer.text, pattern).toBe("glob is relative to path and cannot leave it.");
    }
  });

  it("lists nothing outside, and shows real paths, when it is random", async () => {
    const random = randomNumbers(42);
    const top = dirname(trial.root);
    for (let i = 0; i < numRuns(1500); i++) {
      const pattern = randomPattern(random, top);
      const base = glob.effects({ pattern }, trial.root).map((effect) => ("path" in effect ? effect.path : "/"))[0];
      if (base === undefined || !isWithin(base, top) || base === top) continue;
      const { blocks } = await trial.run(glob, { pattern });
      for (const block of blocks) {
        for (const { text } of block.type === "list" ? block.items : []) {
          const file = isAbsolute(text) ? text : join(trial.root, text);
          expect(isWithin(realpathSync(file), realpathSync(base)), `${pattern} showed ${text}`).toBe(true);
        }
      }
    }
  }, 60_000);

  it("lets grep read nothing outside when it is random", async () => {
    const random = randomNumbers(43);
    const top = dirname(trial.root);
    for (let i = 0; i < numRuns(1500); i++) {
      const pattern = randomPattern(random, top);
      const { text } = await trial.run(grep, { pattern: "canary", glob: pattern });
      expect(text, pattern).not.toContain(":1:");
    }
  }, 60_000);
});

describe("findFiles", () => {
  const found = async (...patterns: string[]) =>
    (await findFiles({ base: trial.root, patterns, cwd: trial.root, signal: new AbortController().signal })).files;

  it("returns nothing outside its base, even for unchecked patterns", async () => {
    for (const row of [...ESCAPES, "../**", "../outside/*", "../outside/canary.txt", "TOP/outside/**", "out/**"]) {
      const files = await found(row.replace("TOP", dirname(trial.root)));
      expect(
        files.filter((file) => file.includes("canary")),
        row,
      ).toEqual([]);
    }
  });

  it("finds files and folders whatever characters are in their names", async () => {
    const odd = ["odd/line\nfeed", "odd/.\\back", "odd/[a]{b,c}", "odd/!(x)", "odd/ ", "odd/\u2028", "odd/.hidden"];
    for (const folder of odd) {
      mkdirSync(join(trial.root, folder), { recursive: true });
      for (const name of ["plain", "line\nfeed", "back\\slash", "*?"])
        writeFileSync(join(trial.root, folder, name), "");
    }
    expect(await found("odd/**")).toHaveLength(odd.length * 4);
    expect(await found("odd/*/line*")).toHaveLength(odd.length);
  });

  it("does not read folders outside", async () => {
    expect(await found("out/deep/../../q/*")).toEqual([]);
    expect(await found("up/outside/*", "out/*/*")).toEqual([]);
    expect(await found("q/*")).toEqual(["q/x.txt"]);
  });
});

const PARTS = [
  ..."./{},\\*?[]!()|@+~".split(""),
  ..."./{},".split(""),
  ..."./{},".split(""),
  "..",
  "../",
  "/*",
  "**",
  "@(",
  "!(",
  "out",
  "up",
  "q",
  "outside",
  "canary.txt",
  "outside/*",
  "{.,q}",
  "{,.}",
  "{1..3}",
];

function randomPattern(random: () => number, top: string): string {
  const length = 1 + Math.floor(random() * 9);
  const parts = Array.from({ length }, () => PARTS[Math.floor(random() * PARTS.length)] ?? "");
  if (random() < 0.1) parts.splice(Math.floor(random() * length), 0, top);
  if (random() < 0.5) parts.push(random() < 0.5 ? "/outside/*" : "/*");
  return parts.join("");
}

/** mulberry32: failures must be reproducible. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileStamps } from "./file-stamps.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stamps-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a stamp changes with the content, the mode and the place that a link leads to, and stays the same for a moment", async () => {
  const stamps = new FileStamps();
  const [file, link] = [join(folder, "a"), join(folder, "link")];
  expect(stamps.of(file)).toBe("");
  writeFileSync(file, "one");
  expect(stamps.of(file)).toBe("");
  const seen = [stamps.of(link)];
  const changes = [
    () => symlinkSync("a", link),
    () => writeFileSync(file, "other"),
    () => chmodSync(file, 0o755),
    () => {
      rmSync(link);
      writeFileSync(join(folder, "b"), "other");
      symlinkSync("b", link);
    },
    () => rmSync(join(folder, "b")),
  ];
  for (const change of changes) {
    change();
    await setImmediate();
    seen.push(stamps.of(link));
    expect(stamps.areSame([link, join(folder, "none")], [stamps.of(link), ""])).toBe(true);
  }
  expect(new Set(seen).size).toBe(changes.length + 1);
  expect(seen.at(-1)).toBe("dangling");
  writeFileSync(link.replace("link", "b"), "back");
  stamps.forgetMoment();
  expect(stamps.areSame([link], ["dangling"])).toBe(false);
});

describe("what is missing", () => {
  /** A clock one hour after the folders were made, so that their stamps are settled. */
  const later = () => new FileStamps({ now: () => Date.now() + 3_600_000 });
  /** Calls `of` for a path at two moments, so that the folder is watched. */
  const seen = async (stamps: FileStamps, path: string) => {
    for (let round = 0; round < 2; round += 1) {
      stamps.of(path);
      await setImmediate();
    }
    return stamps.of(path);
  };

  it.each<[string, string, (path: string) => void]>([
    ["a file in a folder", "a", (path) => writeFileSync(path, "")],
    ["a link to nothing", "a", (path) => symlinkSync("nowhere", path)],
    [
      "a file in a folder that is made, too",
      "b/c/d",
      (path) => {
        mkdirSync(join(path, ".."), { recursive: true });
        writeFileSync(path, "");
      },
    ],
    [
      "a file in a folder that is moved there",
      "b/d",
      (path) => {
        mkdirSync(join(folder, "elsewhere"));
        writeFileSync(join(folder, "elsewhere/d"), "");
        renameSync(join(folder, "elsewhere"), join(path, ".."));
      },
    ],
    [
      "a file in a folder that a link comes to lead to",
      "to/d",
      () => {
        const other = join(folder, "other");
        mkdirSync(other);
        writeFileSync(join(other, "d"), "");
        symlinkSync(other, join(folder, "to"));
      },
    ],
  ])("is found once it is there: %s", async (_name, name, make) => {
    const stamps = later();
    const path = join(folder, name);
    expect(await seen(stamps, path)).toBe("");
    make(path);
    await setImmediate();
    expect(stamps.of(path)).not.toBe("");
  });

  it.each([
    ["is there at once where this process has written it", (stamps: FileStamps) => stamps.forgetMoment(), 3_600_000],
    ["is there in the next moment where it was made soon after its folder", () => undefined, 0],
  ])("%s, though the folder shows no change", async (_what, written, pastMs) => {
    const wholeSeconds = (path: string) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return path === folder && stat ? Object.assign(stat, { mtimeMs: 1_000, ctimeMs: 1_000, size: 0 }) : stat;
    };
    const stamps = new FileStamps({ now: () => 1_900 + pastMs, lstat: wholeSeconds });
    expect(await seen(stamps, join(folder, "a"))).toBe("");
    await setImmediate();
    writeFileSync(join(folder, "a"), "");
    written(stamps);
    expect(stamps.of(join(folder, "a"))).not.toBe("");
  });

  it("is looked for in a folder that a link leads to, and in the next one when the link changes", async () => {
    const stamps = later();
    for (const name of ["one", "two"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "two/d"), "");
    symlinkSync("one", join(folder, "link"));
    expect(await seen(stamps, join(folder, "link/d"))).toBe("");
    rmSync(join(folder, "link"));
    symlinkSync("two", join(folder, "link"));
    await setImmediate();
    expect(stamps.of(join(folder, "link/d"))).not.toBe("");
  });

  /** A file system whose folders do not change when something is created in them. */
  const silent = (ageMs: number) => {
    mkdirSync(join(folder, "b"));
    const frozen = lstatSync(join(folder, "b"));
    const looked: string[] = [];
    const clock = { now: frozen.ctimeMs + ageMs };
    const stamps = new FileStamps({
      now: () => clock.now,
      lstat: (path) => {
        looked.push(path);
        return path === join(folder, "b") ? frozen : lstatSync(path, { throwIfNoEntry: false });
      },
    });
    return { stamps, clock, looked, path: join(folder, "b/c") };
  };

  it("costs no look of its own in a folder that stays the same, but every two seconds", async () => {
    const { stamps, clock, looked, path } = silent(60_000);
    expect(await seen(stamps, path)).toBe("");
    looked.length = 0;
    writeFileSync(path, "");
    await setImmediate();
    expect(stamps.of(path)).toBe("");
    expect(looked).toEqual([join(folder, "b")]);
    clock.now += 2_001;
    await setImmediate();
    expect(stamps.of(path)).not.toBe("");
  });

  it.each([5, -60_000])("is looked for itself where the folder was changed %s ms ago", async (ageMs) => {
    const { stamps, path } = silent(ageMs);
    expect(await seen(stamps, path)).toBe("");
    writeFileSync(path, "");
    await setImmediate();
    expect(stamps.of(path)).not.toBe("");
  });
});

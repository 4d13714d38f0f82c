import { createHash } from "node:crypto";
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { changedSince } from "./changed-since.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

describe("a file that was seen", () => {
  it.each<[string, (path: string) => void, string]>([
    ["is the same where nothing happened", () => undefined, "same"],
    ["is the same where only its time changed", (path) => utimesSync(path, 1, 1), "same"],
    ["has changed where its size did", (path) => writeFileSync(path, "three"), "changed"],
    ["has changed where its content did, with the same size", (path) => writeFileSync(path, "two"), "changed"],
    ["is gone", (path) => rmSync(path), "gone"],
    [
      "has changed where it is a folder now",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      "changed",
    ],
  ])("%s", async (_name, happen, state) => {
    const path = trial.file("a.txt", "one");
    utimesSync(path, 1_000, 1_000);
    const sha256 = createHash("sha256").update("one").digest("hex");
    const stamp = { sizeBytes: 3, sha256, mtimeMs: statSync(path).mtimeMs };
    happen(path);
    expect(await changedSince(path, stamp)).toBe(state);
  });
});

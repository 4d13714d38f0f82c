import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitHunks, withHunks } from "@harness/host";
import type { StagedFile } from "@harness/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../files/digest.ts";
import { diskReview } from "./disk-review.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-review-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d", "\uFEFFe\n"), { maxLength: 30 })
  .map((lines) => lines.join(""));

async function staged(name: string, before: string | undefined, after: string | undefined): Promise<StagedFile> {
  const path = join(folder, name);
  const content = join(folder, `${name}.staged`);
  if (before !== undefined) writeFileSync(path, before);
  if (after !== undefined) writeFileSync(content, after);
  const base = before === undefined ? null : await sha256(Buffer.from(before));
  return { path, base, content: after === undefined ? null : content, standing: "waiting" };
}

describe("the hunks of two texts", () => {
  it("give the new text when all are taken, and the old one when none is", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const hunks = await splitHunks(before, after);
        expect(
          withHunks(
            before,
            hunks.map((hunk) => ({ hunk, after: hunk.after.join("") })),
          ),
        ).toBe(after);
        expect(withHunks(before, [])).toBe(before);
      }),
    );
  });
});

describe("a review of files on disk", () => {
  it("leaves what a direct edit leaves when all is taken", async () => {
    const review = diskReview({ outlasts: true, cwd: folder });
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const file = await staged("a.txt", before, after);
        const draft = await review.draft([file]);
        const [decided] = draft.decide(draft.hunks.map(({ hunkId }) => ({ hunkId, take: true })));
        expect(decided?.text).toBe(after);
        writeFileSync(join(folder, "taken"), decided?.text ?? "");
        expect(await review.apply([{ ...file, content: join(folder, "taken") }])).toBeUndefined();
        expect(readFileSync(file.path, "utf8")).toBe(after);
        // After a crash the same is done once more.
        expect(await review.apply([{ ...file, content: join(folder, "taken") }])).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it("writes all files or none where one has changed meanwhile", async () => {
    const review = diskReview({ outlasts: true, cwd: folder });
    const one = await staged("one", "1\n", "one\n");
    const two = await staged("two", "2\n", "two\n");
    writeFileSync(two.path, "mine\n");
    expect((await review.draft([one, two])).outdated).toEqual([two]);
    expect(await review.apply([one, two])).toEqual({
      problem: expect.stringContaining("changed in the meantime"),
      written: [],
    });
    expect(readFileSync(one.path, "utf8")).toBe("1\n");
  });

  it("makes no folder anew for a session whose own is gone", async () => {
    const review = diskReview({ outlasts: true, cwd: join(folder, "gone") });
    const made = { ...(await staged("made", undefined, "x\n")), path: join(folder, "gone/made") };
    expect(await review.apply([made])).toEqual({
      problem: expect.stringContaining("was moved or removed"),
      written: [],
    });
    expect(existsSync(join(folder, "gone"))).toBe(false);
  });

  it("makes and removes whole files", async () => {
    const review = diskReview({ outlasts: true, cwd: folder });
    const made = await staged("made", undefined, "x\ny\n");
    const gone = await staged("gone", "1\n2\n", undefined);
    const { hunks, decide } = await review.draft([made, gone]);
    expect(hunks.map(({ change, before, after }) => [change, before, after])).toEqual([
      ["create", "", "x\ny\n"],
      ["delete", "1\n2\n", ""],
    ]);
    const texts = (take: boolean) => decide(hunks.map(({ hunkId }) => ({ hunkId, take }))).map((each) => each.text);
    expect([texts(true), texts(false)]).toEqual([["x\ny\n", undefined], []]);
  });
});

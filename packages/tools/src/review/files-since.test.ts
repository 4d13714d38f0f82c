import { mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sha256 } from "../files/digest.ts";
import { watchFiles } from "./files-since.ts";

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "harness since ")));
});
afterEach(() => rmSync(cwd, { recursive: true }));

async function written(name: string, content: string) {
  const path = join(cwd, name);
  writeFileSync(path, content);
  return { path, how: "changed" as const, sizeBytes: content.length, sha256: await sha256(Buffer.from(content)) };
}

it("what was changed since is shown, with what the file is then", async () => {
  const file = await written("a.txt", "one\ntwo\n");
  const look = await watchFiles([file, await written("b.txt", "b\n")], cwd);
  writeFileSync(file.path, "one\nTWO\nthree\n");
  expect(await look()).toMatchObject({
    files: [{ path: file.path, how: "changed", sha256: await sha256(Buffer.from("one\nTWO\nthree\n")), sizeBytes: 14 }],
    text: expect.stringMatching(
      /^\[a\.txt was then changed by a hook \(\+2 -1\), and is now:\]\n@@ .*\n-two\n\+TWO\n\+three$/,
    ),
    blocks: [{ type: "diff", added: 2, removed: 1 }],
  });
});

it("nothing is said of a file that is the same, gone, a link, or was not as it was written", async () => {
  const same = await written("same", "x");
  const gone = await written("gone", "x");
  const link = await written("link", "x");
  const other = await written("other", "x");
  writeFileSync(other.path, "of somebody else");
  const look = await watchFiles([same, gone, link, other], cwd);
  utimesSync(same.path, 1, 1);
  rmSync(gone.path);
  rmSync(link.path);
  symlinkSync(same.path, link.path);
  writeFileSync(other.path, "changed again");
  expect(await look()).toBeUndefined();
});

import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { aliases } from "../aliases.ts";
import { createEdit } from "../edit.ts";
import { createGlob } from "../glob.ts";
import { createLs } from "../ls.ts";
import { createRead } from "../read.ts";
import { createWrite } from "../write.ts";
import { FileWriter } from "../writing/file-writer.ts";

const read = createRead();

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

describe("what is not there", () => {
  it("is the session's folder when that is gone", async () => {
    rmSync(trial.root, { recursive: true });
    const gone = `The session's folder ${trial.root} no longer exists: it was moved or removed. Tell the person, or use an absolute path elsewhere.`;
    expect((await trial.run(createLs(), {})).text).toBe(gone);
    expect((await trial.run(read, { file_path: "a/b.ts" })).text).toBe(gone);
    expect((await trial.run(createGlob({ timeoutMs: 5000 }), { pattern: "*.ts" })).text).toBe(gone);
    const added = "*** Begin Patch\n*** Add File: sub/b.txt\n+hi\n*** End Patch";
    const edit = createEdit(new FileWriter());
    const patch = aliases.find(({ name }) => name === "apply_patch");
    if (!patch) throw new Error("There is no such form.");
    for (const [tool, args] of [
      [createWrite(new FileWriter()), { file_path: "sub/a.txt", content: "x" }],
      [edit, patch.convert({ input: added })],
      [edit, { file_path: "a.txt", old_string: "one", new_string: "x" }],
    ] as const) {
      const { status, text } = await trial.run(tool, args);
      expect([status, text]).toEqual([
        "error",
        expect.stringContaining("was moved or removed, so nothing was written"),
      ]);
    }
    expect(existsSync(trial.root)).toBe(false);
    expect((await trial.run(read, { file_path: `${trial.root}-other/x` })).text).toMatch(/its folder does not exist/);
  });

  it.skipIf(process.platform === "darwin")(
    "is a file whose name is not UTF-8, which only a command can name",
    async () => {
      execFileSync("bash", ["-c", "echo hi > $'bad\\xffutf8.txt'; mkdir $'odd\\xff'"], { cwd: trial.root });
      expect((await trial.run(read, { file_path: "bad\ufffdutf8.txt" })).text).toBe(
        `The name of bad\ufffdutf8.txt in ${trial.root} is not UTF-8, so it cannot be given here: use bash with a pattern, such as bad*utf8.txt.`,
      );
      expect((await trial.run(createLs(), { depth: 2 })).text).toBe(
        "odd\ufffd  (name is not UTF-8)\nbad\ufffdutf8.txt  (name is not UTF-8)",
      );
    },
  );
});

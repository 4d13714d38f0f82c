import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendWhenOpen } from "./process-input.ts";

let folder: string;
let pipe: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "input-"));
  pipe = join(folder, "out.txt.in");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("input for a process that is starting", () => {
  it.each([
    ["has not made its pipe", () => undefined],
    ["has not opened its pipe", () => execFileSync("mkfifo", [pipe])],
  ])("waits for one that %s yet", async (_state, prepare) => {
    prepare();
    const sent = sendWhenOpen(pipe, "go\n", () => true);
    const reader = spawn("sh", ["-c", '[ -p "$0" ] || mkfifo "$0"; exec 0<>"$0"; read line; echo "got $line"', pipe]);
    const [output] = await once(reader.stdout.setEncoding("utf8"), "data");
    expect(output).toBe("got go\n");
    expect(await sent).toBeUndefined();
  });

  it("is refused at once when the process is no longer starting, and as soon as it is not", async () => {
    expect(await sendWhenOpen(pipe, "go\n", () => false)).toBe("it takes no input");
    let looks = 0;
    expect(await sendWhenOpen(pipe, "go\n", () => ++looks < 3)).toBe("it takes no input");
    expect(looks).toBe(3);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
  const folder = join(place.home, "commands");
  mkdirSync(folder, { recursive: true });
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n[ "$1" = --describe ] && exit 0\n${script}\n`, { mode: 0o755 });
  program("deploy", `printf '%s|' "$@"; cat; echo err >&2; exit 9`);
  program("stopped", "echo begun; kill -TERM $$");
  program("quiet", "exit 0");
});
afterAll(() => place?.remove());

describe("a command of one's own on the command line", () => {
  it("has its own stdin, arguments, output and exit code, as in a pipe", async () => {
    expect(await place.run(["deploy", "a b", "--flag"], { stdin: "piped\n" })).toEqual({
      code: 9,
      signal: null,
      stdout: "a b|--flag|piped\n",
      stderr: "err\n",
    });
    expect(await place.run(["quiet"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  it("that a signal has ended has the exit code that shells give it, and a note beside its output", async () => {
    expect(await place.run(["stopped"])).toEqual({
      code: 143,
      signal: null,
      stdout: "begun\n",
      stderr: "harness: [ended by SIGTERM (it was asked to end)]\n",
    });
  });
});

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../test/harness-process.ts";
import { helpText } from "../command-line/help-text.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
});
afterAll(() => place?.remove());

/** A program that answers each of these flags. */
function program(path: string, answers: Readonly<Record<string, string>>): string {
  const file = join(place.root, path);
  mkdirSync(dirname(file), { recursive: true });
  const rows = Object.entries(answers).map(([flag, text]) => `--${flag}) printf '%s\\n' '${text}' ;;`);
  writeFileSync(file, `#!/bin/sh\ncase "$1" in ${rows.join(" ")} esac\n`);
  chmodSync(file, 0o755);
  return file;
}

describe("harness help", () => {
  it("is the overview alone where nobody has brought anything along", async () => {
    expect((await place.run(["help"])).stdout).toBe(helpText());
  });

  it("lists one's own commands, tools, and providers with their variables", async () => {
    const deploy = program(".harness/commands/deploy", { describe: "Deploys it" });
    const schema = JSON.stringify({ name: "count", description: "Counts words.", input_schema: { type: "object" } });
    program(".harness/tools/count", { schema, describe: "Counts words." });
    program(".harness/providers/mine", { describe: "Mine", env: "MINE_KEY  the key\nMINE_PLACE  where" });
    program("project/.harness/commands/theirs", { describe: "Not trusted" });
    const { code, stdout } = await place.run(["help"]);
    expect(code).toBe(0);
    expect(stdout.slice(helpText().length)).toBe(
      [
        "",
        "Your own commands:",
        "  deploy      Deploys it",
        "",
        "Your own tools:",
        "  count       Counts words.",
        "",
        "Your own providers and the variables they read:",
        "  mine        Mine: MINE_KEY, MINE_PLACE",
        "",
      ].join("\n"),
    );
    const about = await place.run(["help", "deploy"]);
    expect(about).toMatchObject({
      code: 0,
      stdout: `Usage: harness deploy [ARGUMENTS]\n\nDeploys it\n\nIt runs ${deploy}\n`,
    });
  });

  it("its commands are there for the completion of shells, where their names mean nothing to one", async () => {
    program(".harness/commands/$(touch made)", { describe: "Bad" });
    program(".harness/commands/two.words-1", { describe: "Two" });
    const { code, stdout } = await place.run(["completion", "commands"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "deploy\tDeploys it\ntwo.words-1\tTwo\n" });
  });

  it("says so where there is no such topic, nor a command of one's own", async () => {
    expect(await place.run(["help", "theirs"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no help about "theirs".'),
    });
  });
});

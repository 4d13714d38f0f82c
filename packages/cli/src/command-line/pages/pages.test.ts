import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliError } from "../../process/exit-codes.ts";
import { type FlagName, flagRow, flags } from "../flags.ts";
import { subcommands } from "../subcommand-rows.ts";
import { completionScript } from "./completion-script.ts";
import { shellNames } from "./completions.ts";
import { manualPage } from "./manual-page.ts";

const hasShell = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

const typesetter = "groff";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness completion "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The words that bash offers after these; the last one is being typed. */
function offered(words: readonly string[], env: NodeJS.ProcessEnv = {}): string[] {
  const file = join(folder, "harness.bash");
  writeFileSync(file, completionScript("bash"));
  const ask = `source "$1"; shift; COMP_WORDS=(harness "$@"); COMP_CWORD=$#; _harness; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", ask, "bash", file, ...words], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe.skipIf(!hasShell("bash"))("completion in bash", () => {
  it.each(
    sample<[string[], string[]]>(
      [
        [["prov"], ["providers"]],
        [
          ["auth", ""],
          ["list", "set", "rm", "login"],
        ],
        [
          ["-m", "run", "auth", "l"],
          ["list", "login"],
        ],
        [
          ["-m=x", "completion", ""],
          ["bash", "zsh", "fish"],
        ],
        [
          ["run", "--effort", "m"],
          ["minimal", "medium", "max"],
        ],
        [["run", "--effort", "=", "hi"], ["high"]],
        [
          ["run", "--ou"],
          ["--output-schema", "--output-format", "--output"],
        ],
        [["serve", "--st"], ["--stdio"]],
        [["help", "exit"], ["exit-codes"]],
        [["plugin", "new", "pro"], ["provider"]],
        // A value that only the user knows, and a message.
        [["-m", ""], []],
        [["run", "fix"], []],
        [["--", "ru"], []],
      ],
      3,
    ),
  )("behind %j offers %j", (words, offers) => {
    expect(offered(words)).toEqual(offers);
  });

  it("offers commands of one's own, which harness is asked for, as first words and behind help", () => {
    const path = join(folder, "harness");
    writeFileSync(
      path,
      "#!/bin/sh\necho \"$*\" | grep -qx 'completion commands' && printf 'deploy\tDeploys it\ndemo\t\n'\n",
    );
    chmodSync(path, 0o755);
    const PATH = `${folder}:${process.env.PATH}`;
    expect(offered(["de"], { PATH })).toEqual(["deploy", "demo"]);
    expect(offered(["help", "dep"], { PATH })).toEqual(["deploy"]);
    expect(offered(["auth", "de"], { PATH })).toEqual([]);
  });
});

describe("the scripts of completion", () => {
  it.each(shellNames)("for %s name every command and every flag", (shell) => {
    const script = completionScript(shell);
    for (const name of Object.keys(subcommands).filter((each) => each !== "window"))
      for (const word of name.split(" ")) expect(script).toMatch(new RegExp(`\\b${word}\\b`));
    for (const name of Object.keys(flags) as FlagName[]) {
      expect(script).toContain(shell === "fish" ? ` -l ${name} ` : `--${name}`);
      for (const choice of flagRow(name).choices ?? []) expect(script).toContain(choice);
    }
  });

  it.each(shellNames)("for %s are read by it without a complaint, where it is there", (shell) => {
    if (!hasShell(shell)) return;
    const file = join(folder, `harness.${shell}`);
    writeFileSync(file, completionScript(shell));
    expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("are there for three shells, and any other is refused", () => {
    expect(() => completionScript("bsh")).toThrow(CliError);
    expect(() => completionScript("bsh")).toThrow(
      'Usage: harness completion bash|zsh|fish, not "bsh". Did you mean bash?',
    );
    expect(() => completionScript("constructor")).toThrow("Usage: harness completion");
  });
});

describe("the manual page", () => {
  const page = manualPage("1.2.3");

  it("has every command, flag and exit code", () => {
    const words = page.replaceAll("\\-", "-");
    for (const { usage } of Object.values(subcommands)) expect(words).toContain(usage);
    for (const name of Object.keys(flags)) expect(words).toContain(`--${name}`);
    expect(words).toContain("harness 1.2.3");
    expect(words).toContain(".B 141");
  });

  it("begins no line of text with a sign that roff would take for a request", () => {
    const requests = page.split("\n").filter((line) => /^[.']/.test(line));
    expect(requests.filter((line) => !/^\.(TH|SH|SS|TP|B|br)\b/.test(line))).toEqual([]);
  });

  it.skipIf(!hasShell(typesetter))("is set by groff without a warning", () => {
    const { stdout, stderr } = spawnSync(typesetter, ["-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-ww"], {
      input: page,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout).toContain("EXIT STATUS");
  });
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputFormat, runRequest } from "../headless/run-request.ts";
import { windowRequest } from "../window/window-request.ts";
import { readCommandLine } from "./command-line.ts";
import { sessionRequest } from "./session-request.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness request ")));
  mkdirSync(join(root, "project"));
  symlinkSync("project", join(root, "link"));
  writeFileSync(join(root, "file"), "");
});
afterAll(() => rmSync(root, { recursive: true }));

const session = (...args: string[]) => sessionRequest(readCommandLine(args));
const run = (...args: string[]) => runRequest(readCommandLine(["run", ...args]));
const format = (...args: string[]) => outputFormat(readCommandLine(["run", ...args]));

describe("the session request of a command line", () => {
  it("is empty without flags", () => {
    expect(session()).toEqual({
      cwd: realpathSync(process.cwd()),
      config: {},
      rules: { allow: [], deny: [] },
      additionalDirectories: [],
      mcp: { files: [], strict: false },
      isFolderNamed: false,
      maxTurns: undefined,
      budget: undefined,
      fallbackModels: undefined,
      customInstructions: undefined,
      open: { how: "new" },
      fork: false,
    });
  });

  it("holds the values of the flags", () => {
    const line = ["-m", "a/b", "--provider", "p", "--effort", "low", "--permission-mode", "deny", "--allow", "write"];
    const more = [
      "--deny",
      "bash",
      "--max-turns",
      "7",
      "--max-tokens",
      "9000",
      "--max-cost",
      "0.50",
      "--fallback-model",
      "q,o/p",
      "--fallback-model",
      "r",
      "--append-system-prompt",
      "",
      "-r",
      "x",
    ];
    expect(session(...line, ...more)).toMatchObject({
      config: { model: "a/b", provider: "p", effort: "low", permissionMode: "deny" },
      rules: { allow: ["write"], deny: ["bash"] },
      maxTurns: 7,
      budget: { tokens: 9_000, usd: 0.5 },
      fallbackModels: ["q", "o/p", "r"],
      customInstructions: "",
      open: { how: "id", id: "x" },
    });
    expect(session("--add-dir", ".", "--add-dir", root).additionalDirectories).toEqual([
      realpathSync(process.cwd()),
      realpathSync(root),
    ]);
    expect(() => session("--add-dir", join(root, "file"))).toThrow("--add-dir: ");
    expect(session("-c").open).toEqual({ how: "newest" });
  });

  it.each([
    ["planning", "planning"],
    ["plan", "planning"],
    ["DEV", "agent"],
    ["researching", "research"],
    ["casual", "casual"],
  ])("accepts the mode %s", (text, mode) => {
    expect(session("--mode", text).config).toEqual({ mode });
  });

  it.each<[string[], object]>([
    [["--permission-mode", "auto"], { permissionMode: "allow-all" }],
    [["--permission-mode", "plan"], { mode: "planning" }],
    [["--permission-mode", "plan", "--mode", "agent"], { mode: "planning" }],
    [["--permission-mode", "plan", "--mode", "casual"], { mode: "casual" }],
  ])("takes the names of older versions: %j asks for %j", (line, config) => {
    expect(session(...line).config).toEqual(config);
  });

  it("refuses an unknown mode", () => {
    expect(() => session("--mode", "yolo")).toThrow(
      '--mode takes one of casual, planning, research, agent, not "yolo".',
    );
  });

  it("resolves its folder, which must exist", () => {
    expect(session("-C", join(root, "project")).cwd).toBe(join(root, "project"));
    expect(session("-C", join(root, "link")).cwd).toBe(join(root, "project"));
    expect(() => session("-C", join(root, "nope"))).toThrow(`--cd: ${root}/nope does not exist.`);
    expect(() => session("-C", join(root, "file"))).toThrow(`--cd: ${root}/file is not a directory.`);
    expect(() => session("-C", join(root, "file/x"))).toThrow(`--cd: ${root}/file/x cannot be opened (ENOTDIR).`);
  });

  it.each(["0", "-1", "$0", "1e3", "much", "100001", "1,50"])("refuses --max-cost %s", (amount) => {
    expect(() => session(`--max-cost=${amount}`)).toThrow(
      `--max-cost takes an amount in US dollars, such as 0.50, not "${amount}".`,
    );
    expect(session("--max-cost", "$.5").budget).toEqual({ tokens: undefined, usd: 0.5 });
  });

  it.each(["0", "-1", "1.5", "many", "1e3", "0x10", "99999999999999999999"])("refuses --max-turns %s", (number) => {
    expect(() => session(`--max-turns=${number}`)).toThrow(`--max-turns takes a whole number from 1, not "${number}".`);
  });

  it("refuses flags that cannot be combined", () => {
    expect(() => session("-c", "-r", "x")).toThrow("--continue and --resume cannot be combined.");
  });
});

describe("the run request of a command line", () => {
  it("holds the values of the flags", () => {
    expect(run("hi")).toMatchObject({ streamInput: false, partial: false, failOnPermission: false, ephemeral: false });
    expect(run("--json", "--include-partial", "--timeout", "90s", "-n", "name", "--ephemeral")).toMatchObject({
      partial: true,
      timeoutMs: 90_000,
      title: "name",
      ephemeral: true,
    });
    expect(run("hi").questionTimeoutMs).toBe(60_000);
    expect(run("--question-timeout", "2m", "hi").questionTimeoutMs).toBe(120_000);
    expect(run("--permission-prompt", "fail").failOnPermission).toBe(true);
    expect(run("--permission-prompt", "deny").failOnPermission).toBe(false);
    expect(run("--input-format", "stream-json").streamInput).toBe(true);
  });

  it("writes its answer to a file below its folder, which is checked at once", () => {
    expect(run("-C", root, "-o", "answer.md").outputFile).toBe(join(root, "answer.md"));
    expect(existsSync(join(root, "answer.md"))).toBe(false);
    expect(() => run("-C", root, "-o", "no/answer.md")).toThrow("--output: no/answer.md cannot be written (ENOENT).");
    expect(() => run("-C", root, "-o", "project")).toThrow("--output: project cannot be written (EISDIR).");
  });

  it.each<[string[], string]>([
    [["--timeout", "soon"], '--timeout takes a time such as 90s, 10m or 2h, not "soon".'],
    [["--question-timeout", "0"], '--question-timeout takes a time such as 90s, 10m or 2h, not "0".'],
    [["--ephemeral", "-c"], "--ephemeral stores nothing, so there is nothing to --continue or --resume."],
    [["--ephemeral", "-r", "x"], "--ephemeral stores nothing"],
    [["--include-partial"], "--include-partial needs --output-format stream-json."],
    [["--include-partial", "--output-format", "json"], "--include-partial needs"],
    [["-q", "-v"], "--quiet and --verbose cannot be combined."],
    [["--input-format", "stream-json", "hi"], "With --input-format stream-json the prompts come from stdin"],
    [["--input-format", "stream-json", "-f", "a"], "--file needs a prompt on the command line"],
    [["--input-format", "stream-json", "--image", "a"], "--image needs a prompt on the command line"],
  ])("refuses %j", (args, words) => {
    expect(() => run(...args)).toThrow(words);
  });

  it("accepts one format only", () => {
    expect(format()).toBe("text");
    expect(format("--json")).toBe("stream-json");
    expect(format("--output-format", "json")).toBe("json");
    expect(format("--json", "--output-format", "stream-json")).toBe("stream-json");
    expect(() => format("--json", "--output-format", "json")).toThrow("--json means --output-format stream-json");
  });
});

describe("the start of the window", () => {
  it("holds the session, the prompt and an existing server program", () => {
    const request = windowRequest(readCommandLine(["-m", "x", "fix", "the", "test"]));
    expect(request).toMatchObject({ config: { model: "x" }, prompt: "fix the test" });
    expect(request.server.command).toBe(process.execPath);
    expect(readFileSync(request.server.args.at(-1) ?? "", "utf8")).toContain("serveStdio");
    expect(windowRequest(readCommandLine([])).prompt).toBeUndefined();
    expect(windowRequest(readCommandLine(["  "])).prompt).toBeUndefined();
  });
});

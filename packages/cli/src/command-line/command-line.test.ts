import { permissionModes } from "@harness/protocol/choices";
import { describe, expect, it } from "vitest";
import { CliError } from "../process/exit-codes.ts";
import { readCommandLine } from "./command-line.ts";
import { type FlagName, flagRow, flags, isFlag } from "./flags.ts";
import { otherFlag, otherFlags } from "./other-flags.ts";
import { isSubcommand, secondWords, subcommandRow } from "./subcommand-rows.ts";

const names = Object.keys(flags) as FlagName[];

/** The message of the refusal. */
function refusal(...args: string[]): string {
  try {
    readCommandLine(args);
  } catch (error) {
    if (error instanceof CliError && error.ending === "usage") return error.message;
    throw error;
  }
  throw new Error(`${args.join(" ")} was accepted.`);
}

describe("the subcommand", () => {
  it.each<[string[], string, string[]]>([
    [[], "window", []],
    [["fix", "it"], "window", ["fix", "it"]],
    [["fix it"], "window", ["fix it"]],
    [["run"], "run", []],
    [["run", "fix it"], "run", ["fix it"]],
    [["-m", "a", "run", "fix it"], "run", ["fix it"]],
    [["run", "-"], "run", ["-"]],
    [["run", "run"], "run", ["run"]],
    [["-p", "fix it"], "run", ["fix it"]],
    [["fix it", "-p"], "run", ["fix it"]],
    [["-p", "run", "the", "tests"], "run", ["run", "the", "tests"]],
    [["run", "--", "-p", "--model"], "run", ["-p", "--model"]],
    [["--", "run"], "window", ["run"]],
    [["--", "window"], "window", ["window"]],
    [["constructor?"], "window", ["constructor?"]],
    [["/plan"], "window", ["/plan"]],
    [["修复测试"], "window", ["修复测试"]],
    [["can", "you"], "window", ["can", "you"]],
    [["rnu", "the", "tests"], "window", ["rnu", "the", "tests"]],
    [["run the tests"], "window", ["run the tests"]],
    [["serve", "--stdio"], "serve", []],
    [["help"], "help", []],
    [["help", "run"], "help", ["run"]],
    [["version"], "version", []],
    [["run", ""], "run", [""]],
    [["auth", "list"], "auth list", []],
    [["auth", "set", "openai"], "auth set", ["openai"]],
    [["--json", "auth", "list", "openai"], "auth list", ["openai"]],
    [["auth", "-h"], "help", ["auth"]],
    [["auth list"], "window", ["auth list"]],
    [["--", "auth", "set"], "window", ["auth", "set"]],
    [["-p", "doctor", "this"], "run", ["doctor", "this"]],
    [["models", "ollama"], "models", ["ollama"]],
    [["model", "add", "a b.gguf"], "model add", ["a b.gguf"]],
    [["fix", "auth", "list"], "window", ["fix", "auth", "list"]],
  ])("is read from %j as %s with the positionals %j", (args, subcommand, positionals) => {
    expect(readCommandLine(args)).toMatchObject({ subcommand, positionals });
  });
});

describe("the arguments after a subcommand", () => {
  it.each([
    [
      ["auth"],
      'Usage: harness auth list|set|rm|login. See harness help auth. To send "auth …" as a message: harness -- auth …',
    ],
    [
      ["auth", "lst"],
      'Usage: harness auth list|set|rm|login. Did you mean harness auth list? To send "auth …" as a message: harness -- auth …',
    ],
    [
      ["model", "the", "data"],
      'Usage: harness model add|pull|rm. See harness help model. To send "model …" as a message: harness -- model …',
    ],
    [["auth", "set"], "Missing argument: harness auth set PROVIDER."],
    [["auth", "rm", " "], "Missing argument: harness auth rm PROVIDER."],
    [
      ["doctor", "who"],
      "Unexpected argument for harness doctor. To send a message that begins with this word: harness -- …",
    ],
    [
      ["models", "a", "b"],
      "Unexpected argument for harness models [PROVIDER]. To send a message that begins with this word: harness -- …",
    ],
  ])("are refused: %j: %s", (args, message) => {
    expect(refusal(...args)).toBe(message);
  });

  it("never repeat a key that was given by mistake", () => {
    const key = "sk-secret-0123456789";
    for (const args of [
      ["auth", "set", "openai", key],
      ["auth", key],
      ["auth", "set", "openai", `--key=${key}`],
      ["auth", "set", `--openai=${key}`],
    ])
      expect(refusal(...args)).not.toContain("secret");
    expect(refusal("auth", "set", "openai", key)).toContain(
      "harness auth set PROVIDER asks for it, or reads it from stdin",
    );
  });
});

describe("the value of a flag", () => {
  it.each<[string[], FlagName, string[]]>([
    [["--model", "a/b"], "model", ["a/b"]],
    [["--model=a=b"], "model", ["a=b"]],
    [["-m", "a"], "model", ["a"]],
    [["-ma"], "model", ["a"]],
    [["run", "-qm", "a"], "model", ["a"]],
    [["-m", "a", "-m", "b"], "model", ["b"]],
    [["--allow", "write", "--allow=bash(npm test)"], "allow", ["write", "bash(npm test)"]],
    [["run", "-f", "a", "-f", "b"], "file", ["a", "b"]],
    [["run", "-o", "-"], "output", ["-"]],
    [["run", "-o", "-5"], "output", ["-5"]],
    [["--append-system-prompt", "- be brief"], "append-system-prompt", ["- be brief"]],
    [["--append-system-prompt", "--be brief"], "append-system-prompt", ["--be brief"]],
    [["--append-system-prompt", ""], "append-system-prompt", [""]],
    [["-r", "abc"], "resume", ["abc"]],
    [["--append-system-prompt=--model"], "append-system-prompt", ["--model"]],
    [["run", "-C", "/x"], "cd", ["/x"]],
  ])("is read from %j", (args, flag, values) => {
    const line = readCommandLine(args);
    expect(line.values(flag)).toEqual(values);
    expect(line.value(flag)).toBe(values.at(-1));
    expect(line.has(flag)).toBe(true);
  });

  it("is absent when it was not given", () => {
    const line = readCommandLine(["run", "-c"]);
    expect(line.has("model")).toBe(false);
    expect(line.value("model")).toBeUndefined();
    expect(line.values("allow")).toEqual([]);
    expect(line.has("continue")).toBe(true);
  });

  it.each([[["-r"]], [["--resume", "-m", "a"]], [["-r", "--", "hi"]]])("may be left out of %j", (args) => {
    const line = readCommandLine(args);
    expect(line.has("resume")).toBe(true);
    expect(line.values("resume")).toEqual([]);
  });

  it("is required where the flag takes one", () => {
    expect(refusal("--model")).toBe("--model needs a value: --model MODEL.");
    expect(refusal("run", "x", "-m")).toBe("-m needs a value: -m MODEL.");
    expect(refusal("--model", "")).toBe("--model needs a value: --model MODEL.");
    expect(refusal("--resume=")).toBe("--resume needs a value: --resume ID.");
    expect(refusal("run", "--allow", " ")).toBe("--allow needs a value: --allow RULE.");
    expect(refusal("run", "--model", "--json", "hi")).toBe(
      "--model needs a value, but --json follows, which is a flag: --model MODEL.",
    );
    expect(refusal("run", "-m", "-r", "hi")).toContain("-m needs a value, but -r follows");
    expect(refusal("run", "-o", "-q")).toContain("-o needs a value, but -q follows");
    expect(refusal("--effort")).toBe("--effort needs a value: none, minimal, low, medium, high, xhigh, max, off.");
  });

  it("must be one of the choices", () => {
    expect(refusal("--effort", "huge")).toBe(
      '--effort takes one of none, minimal, low, medium, high, xhigh, max, off, not "huge".',
    );
    expect(refusal("run", "--output-format=xml")).toContain("--output-format takes one of text, json, stream-json");
    expect(refusal("run", "--permission-prompt", "ask")).toContain("deny, fail");
    expect(refusal("--permission-mode", "yolo")).toContain(
      "default, review, accept-edits, auto-in-sandbox, deny, allow-all, not",
    );
  });

  it("is refused where the flag takes none", () => {
    expect(refusal("run", "--json=yes")).toBe('--json takes no value, but got "yes".');
    expect(refusal("--continue=")).toBe('--continue takes no value, but got "".');
  });
});

describe("an unknown flag", () => {
  it.each([
    [["--modle", "x"], "Unknown flag --modle. Did you mean --model? harness help flags lists them."],
    [["run", "--outptu=x"], "Unknown flag --outptu. Did you mean --output? harness help flags lists them."],
    [["--cwd", "/x"], "Unknown flag --cwd. Did you mean --cd? harness help flags lists them."],
    [["--no-json"], "Unknown flag --no-json. harness help flags lists them."],
    [["-x"], "Unknown flag -x. harness help flags lists them."],
    [["run", "-qx"], "Unknown flag -x. harness help flags lists them."],
    [["-model", "x"], "Unknown flag -model. Did you mean --model? harness help flags lists them."],
    [["-resume=x"], "Unknown flag -resume. Did you mean --resume? harness help flags lists them."],
    [["--__proto__"], "Unknown flag --__proto__. harness help flags lists them."],
    [["--constructor=x"], "Unknown flag --constructor. harness help flags lists them."],
    // Flags that other programs have and this one lacks (so far).
    [["run", "--self-update", "5"], "Unknown flag --self-update. harness help flags lists them."],
  ])("%j", (args, message) => {
    expect(refusal(...args)).toBe(message);
  });
});

describe("a word that is not a command", () => {
  it.each([
    [["rnu"], "Did you mean harness run?"],
    [["rnu", "hi"], "Did you mean harness run hi?"],
    [["rnu", "fix the tests"], "Did you mean harness run fix the tests?"],
    [["porviders"], "Did you mean harness providers?"],
    [["ath", "list"], "Did you mean harness auth list?"],
    [["login"], "Did you mean harness auth login PROVIDER, or harness auth set PROVIDER for a key?"],
    [["Login", "openai"], "Did you mean harness auth login PROVIDER"],
    [["config"], "Did you mean harness setup, or /settings in the window?"],
    [["window"], "harness help lists them."],
    [["constructor"], "harness help lists them."],
    [["hello"], "harness help lists them."],
    [["-m", "a", "hello"], "harness help lists them."],
  ])("is not sent: %j: %s", (args, answer) => {
    const message = refusal(...args);
    expect(message).toContain(answer);
    const words = args.filter((word) => !["-m", "a"].includes(word));
    expect(message).toContain(`To send it as a message: harness -- ${words.join(" ")}`);
    expect(readCommandLine(["--", ...words])).toMatchObject({ subcommand: "window", positionals: words });
  });
});

describe("a flag that other programs have", () => {
  it.each([
    [["--yolo"], "--permission-mode allow-all"],
    [["--dangerously-skip-permissions", "hi"], "--permission-mode allow-all"],
    [["--full-auto"], "--permission-mode auto-in-sandbox"],
    [["--approval-mode", "auto_edit"], "--permission-mode accept-edits"],
    [["--approval-mode=yolo"], "--permission-mode allow-all"],
    [["--ask-for-approval", "never"], "--permission-mode deny"],
    [["--ask-for-approval"], "--permission-mode MODE"],
    [["--sandbox", "read-only"], "--mode planning"],
    [["--sandbox"], "--permission-mode auto-in-sandbox"],
    [["run", "--system-prompt", "be brief"], "--append-system-prompt TEXT"],
    [["--llama-cpp"], "--provider llamacpp"],
    [["--experimental-acp"], "harness acp"],
    [["-l"], "--provider llamacpp"],
    [["--vllm", "-c"], "--provider vllm"],
    [["-v"], "For vLLM: --provider vllm"],
    [["-o", "x"], "For Ollama: --provider ollama"],
    [["--ollama-host", "http://box:11434"], "-u URL"],
    [["--prompt", "hi"], 'harness "what to do", which stays open'],
    [["auth", "set", "--local", "groq"], ".env"],
    [["auth", "rm", "groq", "1"], "harness auth rm groq removes that"],
    [["--permission-mode", "acceptEdits"], "Did you mean accept-edits?"],
    [["--permission-mode", "bypassPermissions"], "Did you mean allow-all?"],
  ])("is answered with ours: %j: %s", (args, answer) => {
    expect(refusal(...args)).toContain(answer);
  });

  it.each(Object.keys(otherFlags))("has an answer that names flags and commands of harness: %s", (name) => {
    expect(isFlag(name.replace(/^-+/, ""))).toBe(false);
    for (const value of [undefined, "never", "default", "yolo", "read-only", "danger-full-access"]) {
      const answer = otherFlag(name, value) ?? "";
      for (const [, flag = ""] of answer.matchAll(/(?<![\w-])--([a-z-]+)/g))
        expect([name, isFlag(flag)]).toEqual([name, true]);
      for (const [, words = ""] of answer.matchAll(/--permission-mode ([a-z-]+)/g))
        expect(permissionModes).toContain(words);
      for (const [, word = ""] of answer.matchAll(/^harness ([a-z]+)/g))
        expect([word, isSubcommand(word) || word === "and" || secondWords(word).length > 0]).toEqual([word, true]);
    }
  });
});

it("the place of the one credential of a provider may be named", () => {
  expect(readCommandLine(["auth", "rm", "groq", "0"])).toMatchObject({ subcommand: "auth rm" });
  expect(refusal("auth", "rm", "groq", "gone")).toContain("Unexpected argument");
});

describe("a flag of another subcommand", () => {
  it("is refused with the subcommands that take it", () => {
    expect(refusal("--ephemeral")).toBe(
      "--ephemeral belongs to harness run, not to the window (harness without a subcommand).",
    );
    expect(refusal("run", "--stdio")).toBe("--stdio belongs to harness serve, not to harness run.");
    expect(refusal("serve", "--model", "x")).toBe(
      "--model belongs to the window (harness without a subcommand), harness session resume, harness session fork, harness repl, harness run, harness agents test, harness doctor, harness sessions, harness session list and harness session search, not to harness serve.",
    );
  });

  it("does not prevent the help", () => {
    expect(readCommandLine(["help", "--json"]).subcommand).toBe("help");
    for (const subcommand of [[], ["run"], ["serve"]]) {
      expect(readCommandLine([...subcommand, "-h"]).has("help")).toBe(true);
      expect(readCommandLine([...subcommand, "--version"]).has("version")).toBe(true);
    }
  });
});

describe("the table of flags", () => {
  it("has each short form once, with one letter", () => {
    const shorts = names.flatMap((name) => flagRow(name).short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
    for (const short of shorts) expect(short).toMatch(/^[a-zA-Z]$/);
  });

  it("names a value for exactly those flags that take one", () => {
    for (const name of names)
      expect([name, flagRow(name).value !== undefined]).toEqual([name, flagRow(name).takes !== "nothing"]);
  });

  it("is accepted for every subcommand that it names", () => {
    for (const name of names) {
      const { takes, choices, in: homes } = flagRow(name);
      for (const home of homes) {
        const value = takes === "nothing" ? [] : [choices?.[0] ?? "1"];
        const words =
          home === "window" ? [] : [...home.split(" "), ...(subcommandRow(home).positionals === "one" ? ["x"] : [])];
        const line = readCommandLine([...words, `--${name}`, ...value]);
        expect([name, line.has(name), line.values(name)]).toEqual([name, true, value]);
      }
    }
  });
});

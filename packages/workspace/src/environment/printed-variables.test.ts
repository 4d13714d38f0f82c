import { describe, expect, it } from "vitest";
import { type EnvironmentChange, readPrintedVariables } from "./printed-variables.ts";

const base = { PATH: "/usr/bin:/bin", HOME: "/home/u" };
const nix = JSON.stringify({
  bashFunctions: { genericBuild: " echo " },
  variables: {
    PATH: { type: "exported", value: "/nix/store/gcc/bin" },
    CC: { type: "exported", value: "gcc" },
    HOME: { type: "exported", value: "/homeless-shelter" },
    buildPhase: { type: "var", value: "x" },
    outputs: { type: "array", value: ["out"] },
    XDG_DATA_DIRS: { type: "exported", value: "/nix/share" },
  },
});

describe("what a program prints about an environment", () => {
  it.each<[string, string, EnvironmentChange]>([
    ["nothing, as direnv does where it has nothing to say", "", {}],
    [
      "JSON with null, as of direnv",
      '{"A":"1","HTTP_PROXY":null,"M":"a\\nb"}',
      { A: "1", HTTP_PROXY: null, M: "a\nb" },
    ],
    [
      "nix, whose build has a home of its own",
      nix,
      { PATH: "/nix/store/gcc/bin:/usr/bin:/bin", CC: "gcc", XDG_DATA_DIRS: "/nix/share" },
    ],
    ["entries that end with NUL", "A=1\0M=a\nb=c\0BASH_FUNC_x%%=() {\n}\0", { A: "1", M: "a\nb=c" }],
    ["lines of env, as they stand", "A=one two\nB=\nC=a=$b 'c\n", { A: "one two", B: "", C: "a=$b 'c" }],
    ["lines of a .env file, with quotes", "A=\"one two\"\n# words\nB='$x'\n", { A: "one two", B: "$x" }],
    [
      "lines of a shell",
      "export A='it'\\''s'\nexport B=\"a \\\"b\\\" \\$c\";\ndeclare -x C=$'x\\ty\\x41'\nexport D\nunset E; export F=1; export G='a\nb'",
      { A: "it's", B: 'a "b" $c', C: "x\tyA", E: null, F: "1", G: "a\nb" },
    ],
    ["Windows line ends", "A=1\r\nexport B='2'\r\n", { A: "1", B: "2" }],
    [
      "what belongs to the shell, to direnv, to mise and to us is left aside",
      JSON.stringify({
        PWD: "/x",
        SHLVL: "2",
        DIRENV_DIFF: "eJx",
        __MISE_DIFF: "eJx",
        HARNESS_HOME: "/e",
        HARNESS: "2",
        A: "1",
        "a-b": "1",
      }),
      { A: "1" },
    ],
  ])("%s", (_, text, variables) => {
    expect(readPrintedVariables(text, base)).toEqual({ variables });
  });

  it.each<[string, string, string]>([
    ["JSON that is cut", '{"A":"1"', "it is not valid JSON (line 1)"],
    ["a number", '{"A":1}', "`A` is neither a string nor null"],
    ["a NUL", '{"A":"x\\u0000y"}', "`A` has a NUL character"],
    ["words", "Loading the environment…\nA=1", "line 1 is not a variable (let it print JSON, or `env -0`)"],
    [
      "a value that a shell would work out",
      'export A=1\nexport B="$HOME/x"',
      "line 2 is not a variable (let it print JSON, or `env -0`)",
    ],
    ["a command", "export A=$(date)", "line 1 is not a variable (let it print JSON, or `env -0`)"],
    ["a quote without end", "export A='x", "line 1 is not a variable (let it print JSON, or `env -0`)"],
    ["a huge value", `{"A":"${"x".repeat(70_000)}"}`, "`A` has more than 64 kB"],
    [
      "huge values",
      JSON.stringify(Object.fromEntries([1, 2, 3, 4, 5].map((each) => [`A${each}`, "x".repeat(60_000)]))),
      "the variables have more than 256 kB",
    ],
  ])("is refused: %s", (_, text, problem) => {
    expect(readPrintedVariables(text, base)).toEqual({ problem });
  });
});

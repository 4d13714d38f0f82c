import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findingLine } from "../findings/finding.ts";
import { printedFindings } from "./printed-findings.ts";
import { printedForms } from "./printed-forms.ts";

const cwd = "/nowhere/shop";

const found = (output: string) => printedFindings(output, cwd).map((each) => findingLine(each, cwd));

/** As the programs print them, with lines around that say nothing. */
const outputs: Record<string, [output: string, lines: string[]]> = {
  tsc: [
    "a.ts(1,7): error TS2322: Type 'number' is not assignable to type 'string'.\n  The rest of the message.\n",
    ["a.ts:1:7: error TS2322: Type 'number' is not assignable to type 'string'."],
  ],
  "tsc --pretty": [
    "a.ts:1:7 - error TS2322: Type 'number' is not assignable to type 'string'.\n\n1 const n: string = 1;\n        ~\n\nFound 1 error in a.ts:1\n",
    ["a.ts:1:7: error TS2322: Type 'number' is not assignable to type 'string'."],
  ],
  "cargo check": [
    'error[E0308]: mismatched types\n --> src/main.rs:2:18\n  |\n2 |     let n: i32 = "";\n  |            ---   ^^ expected `i32`, found `&str`\n\nwarning: unused variable: `x`\n --> src/main.rs:3:9\n\nerror: could not compile `c` (bin "c") due to 1 previous error\n',
    ["src/main.rs:2:18: error E0308: mismatched types", "src/main.rs:3:9: warning: unused variable: `x`"],
  ],
  "ruff check": [
    "F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\n1 | import os\n",
    ["a.py:1:8: error F401: `os` imported but unused"],
  ],
  "eslint (stylish)": [
    "\n/nowhere/shop/a.js\n  1:5  error    'a' is assigned a value but never used        no-unused-vars\n  2:5  warning  'b' is never reassigned. Use 'const' instead  prefer-const\n\n✖ 2 problems (1 error, 1 warning)\n",
    [
      "a.js:1:5: error no-unused-vars: 'a' is assigned a value but never used",
      "a.js:2:5: warning prefer-const: 'b' is never reassigned. Use 'const' instead",
    ],
  ],
  "eslint --format compact": [
    "/nowhere/shop/a.js: line 1, col 5, Error - 'a' is never used. (no-unused-vars)\n\n1 problem\n",
    ["a.js:1:5: error no-unused-vars: 'a' is never used."],
  ],
  "eslint --format unix": [
    "/nowhere/shop/a.js:1:5: 'a' is never used. [Error/no-unused-vars]\n\n1 problem\n",
    ["a.js:1:5: error no-unused-vars: 'a' is never used."],
  ],
  "cargo check --message-format short": [
    "    Checking c v0.1.0\nsrc/main.rs:2:18: error[E0308]: mismatched types: expected `i32`, found `&str`\n",
    ["src/main.rs:2:18: error E0308: mismatched types: expected `i32`, found `&str`"],
  ],
  "gcc, clang, mypy": [
    "a.c: In function ‘main’:\na.c:1:37: error: ‘x’ undeclared\n    1 | return x;\na.c:1:22: warning: unused variable ‘unused’ [-Wunused-variable]\na.h:4: fatal error: x.h: No such file\na.py:2:12: error: Incompatible return value  [return-value]\nFound 1 error in 1 file (checked 1 source file)\n",
    [
      "a.c:1:37: error: ‘x’ undeclared",
      "a.c:1:22: warning -Wunused-variable: unused variable ‘unused’",
      "a.h:4:1: error: x.h: No such file",
      "a.py:2:12: error return-value: Incompatible return value",
    ],
  ],
  "ruff check --output-format concise": [
    "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n",
    ["a.py:1:8: error F401: `os` imported but unused"],
  ],
  pytest: [
    "    def test_x():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntest_a.py:2: AssertionError\n=== 1 failed in 0.01s ===\n",
    ["test_a.py:2:1: error: AssertionError"],
  ],
  "go build, go vet": [
    '# x\n./a.go:5:15: fmt.Printf format %d has arg "x"\nvet: ./b.go:3:30: cannot use 1\n',
    ['a.go:5:15: error: fmt.Printf format %d has arg "x"', "b.go:3:30: error: cannot use 1"],
  ],
};

describe("findings in the output of a command", () => {
  it.each(printedForms.map(({ programs }) => programs))("%s", (programs) => {
    const [output, lines] = outputs[programs] ?? ["", []];
    expect(lines).not.toEqual([]);
    expect(found(output)).toEqual(lines);
    expect(found(output.replaceAll("\n", "\r\n"))).toEqual(lines);
  });

  it.each([
    ["nothing", ""],
    ["words", "All good. 3 passed (12.3 s)\n"],
    ["times", "12:30:45 started\n"],
    ["an address", "Listening on http://localhost:3000:/ now\n"],
    ["a place without its message", " --> src/main.rs:2:18\n"],
    ["a stack", "    at run (/nowhere/shop/a.js:1:5)\n"],
  ])("there are none in %s", (_, output) => {
    expect(found(output)).toEqual([]);
  });

  it("names each once, and not more than two thousand", () => {
    const same = "a.ts(1,7): error TS1: x\n".repeat(5);
    const many = Array.from({ length: 5_000 }, (_, at) => `a.ts(${at + 1},1): error TS1: x`).join("\n");
    expect(found(same)).toHaveLength(1);
    expect(found(many)).toHaveLength(2_000);
  });

  it("reads hostile output in linear time", () => {
    const output = `${"a:1:1: ".repeat(300)}\n`.repeat(250) + `${"(1,1): error ".repeat(200)}\n`.repeat(200);
    const began = performance.now();
    found(output);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("looks up lines of files in the folder only: any path can be printed", () => {
    const top = mkdtempSync(join(tmpdir(), "printed-"));
    const folder = join(top, "shop");
    mkdirSync(folder);
    for (const name of ["shop/a.ts", "secret.ts"]) writeFileSync(join(top, name), "let one;\n");
    symlinkSync(top, join(folder, "up"));
    const names = ["a.ts", "../secret.ts", join(top, "secret.ts"), "up/secret.ts", "/proc/self/environ"];
    const output = names.map((name) => `${name}(1,1): error TS1: x\n`).join("");
    expect(printedFindings(output, folder).map(({ lineText }) => lineText)).toEqual(["let one;", "", "", ""]);
    rmSync(top, { recursive: true });
  });

  it("keeps control characters out", () => {
    expect(found("a.ts(1,7): error TS1: \u001b[2Jgone\u0007\n")).toEqual(["a.ts:1:7: error TS1: [2Jgone"]);
  });
});

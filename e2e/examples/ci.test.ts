// The recipe for reviews of pull requests (docs/ci.md): its commands with the scripted model, and the rules of its workflow.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const recipe = join(root, "examples/ci");
const workflow = readFileSync(join(recipe, "harness-review.yml"), "utf8");
const good = {
  summary: "It divides.",
  findings: [{ file: "src/a.js", line: 3, severity: "high", problem: "b may be 0.", repair: "Check it." }],
};
const diff = "--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1,3 @@\n+export const divide = (a, b) => a / b;\n";

let folder: string;
let model: ModelServer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness ci "));
  mkdirSync(join(folder, "project"));
  writeFileSync(join(folder, "change.diff"), diff);
});
afterEach(async () => {
  await model?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function run(command: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH } = process.env;
  const home = join(folder, "home");
  const harness = { HOME: home, HARNESS_HOME: home, HARNESS_MODEL: "scripted-model", ...model?.environment };
  const options = { cwd: join(folder, "project"), env: { PATH: `${root}/bin:${PATH}`, ...harness } };
  return new Promise((done) => {
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      done({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const review = () => run("sh", join(recipe, "review.sh"), join(folder, "change.diff"), join(folder, "review.json"));
const comment = () => run(process.execPath, join(recipe, "comment.mjs"), join(folder, "review.json"));

describe("review.sh", () => {
  it("writes a review that fits its schema, and changes nothing on the way", async () => {
    const write = turns.call("write", { file_path: join(folder, "project/made.txt"), content: "x" });
    const touch = turns.call("bash", { command: "touch made.txt; curl http://127.0.0.1:1" });
    model = await startModelServer({ scenario: { turns: [write, touch, turns.say(JSON.stringify(good))] } });
    expect(await review()).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(readFileSync(join(folder, "review.json"), "utf8"))).toEqual(good);
    expect(JSON.stringify(model.chatRequests[0]?.body)).toContain("export const divide");
    expect(() => readFileSync(join(folder, "project/made.txt"))).toThrow();
  });

  it("fails, and leaves nothing to comment on, if the answer does not fit twice", async () => {
    const odd = JSON.stringify({ ...good, findings: [{ ...good.findings[0], severity: "<b>huge</b>" }] });
    model = await startModelServer({ scenario: { turns: [turns.say(odd, { repeat: "always" })] } });
    expect((await review()).code).toBe(1);
    expect(() => readFileSync(join(folder, "review.json"))).toThrow();
  });
});

describe("comment.mjs", () => {
  it("lists the findings", async () => {
    writeFileSync(join(folder, "review.json"), JSON.stringify(good));
    const { code, stdout } = await comment();
    expect(code).toBe(0);
    expect(stdout).toBe(
      "### harness has read this change\n\nIt divides.\n\n- **high** src/a.js, line 3: b may be 0. Repair&#58; Check it.\n".replace(
        "Repair&#58;",
        "Repair:",
      ),
    );
  });

  it("makes nothing of the words of strangers but text", async () => {
    const words =
      "@team ![x](https://evil.example/?q) <img src=x> [a](http://b) `code`\n# Title\n\n- [ ] task $x$ :tada: #1";
    const findings = [{ file: `${words}`, line: 1, severity: "low", problem: words }];
    writeFileSync(join(folder, "review.json"), JSON.stringify({ summary: words, findings }));
    const { stdout } = await comment();
    expect(stdout.trimEnd().split("\n")).toHaveLength(5);
    const said = stdout
      .split("\n")
      .slice(2)
      .join("\n")
      .replace(/^- \*\*low\*\* /m, "")
      .replace(/&#\d+;/g, "");
    expect(said).not.toMatch(/[<>[\]`*!#$]|https?:|@\w|www\./);
  });
});

describe("harness-review.yml", () => {
  const job = (name: string) =>
    new RegExp(`^  ${name}:\\n((?: {3,}.*\\n|\\n|  #.*\\n)*)`, "m").exec(workflow)?.[1] ?? "";

  it("gives no job both a key and a token that writes", () => {
    expect(workflow).toMatch(/^permissions: \{\}$/m);
    expect(job("review")).toContain("secrets.MODEL_KEY");
    expect(job("review")).not.toContain("write");
    expect(job("comment")).toContain("pull-requests: write");
    expect(job("comment")).not.toMatch(/secrets\.|harness run|review\.sh|npm/);
  });

  it("runs nothing of the change, and gives forks no secret", () => {
    expect(workflow).not.toContain("pull_request_target");
    expect(job("review")).toContain("head.repo.full_name == github.repository");
    const refs = [...workflow.matchAll(/^ +ref: (.*)$/gm)].map(([, ref]) => ref);
    const base = "{{ github.event.pull_request.base.sha || github.sha }}";
    expect(refs).toEqual([`$${base}`, `$${base}`]);
    expect(workflow.match(/persist-credentials: false/g)).toHaveLength(2);
    // Values of the event reach scripts as variables alone: an expression in a script is code.
    for (const [, script] of workflow.matchAll(/^ +- run: (.*)$/gm)) expect(script).not.toContain("${{");
  });
});

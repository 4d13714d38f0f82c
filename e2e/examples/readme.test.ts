import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type ModelServer, startModelServer, turns, writeBrokenProject } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "harness-readme-"));
let model: ModelServer;
let project = "";

/** The commands of README blocks that are marked as run here. */
function marked(): string[] {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const blocks = text.matchAll(/<!-- run by e2e\/examples\/readme\.test\.ts -->\n```sh\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, block = ""]) => block.trim().split("\n"));
}

const hasPython = (): boolean => {
  try {
    execFileSync("python3", ["--version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
};

beforeAll(async () => {
  const lanes = [
    { match: "JSON Schema", turns: [turns.say('{"ok":true,"why":"This is the answer."}', { repeat: "always" })] },
  ];
  model = await startModelServer({
    scenario: { lanes, turns: [turns.say("This is the answer.", { repeat: "always" })] },
  });
  ({ root: project } = await writeBrokenProject(join(folder, "sum")));
  execFileSync("sh", ["-c", `ln -s '${root}/examples' examples && echo change >> README.md`], { cwd: project });
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the README", () => {
  it.each(marked())("has a working example: %s", async (command) => {
    if (command.startsWith("python3") && !hasPython()) return;
    const { PATH } = process.env;
    const home = join(folder, "home");
    const env = {
      PATH: `${root}/bin:${PATH}`,
      HOME: home,
      HARNESS_HOME: home,
      ...model.environment,
      HARNESS_MODEL: "m",
    };
    const running = promisify(execFile)("sh", ["-c", command], { cwd: project, env });
    running.child.stdin?.end();
    const { stdout } = await running;
    const written = command.includes("> message.txt") ? readFileSync(join(project, "message.txt"), "utf8") : stdout;
    expect(written).toContain("This is the answer.");
  });

  it("has examples", () => {
    expect(marked().length).toBeGreaterThan(5);
  });
});

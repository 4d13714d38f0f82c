import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { realSandbox } from "../../test/available-sandbox.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";
import { quarantine } from "./quarantine.ts";

const { sandbox, missing } = await realSandbox();
const bash = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());
afterAll(() => sandbox.close());

const run = (command: string, over = {}) => trial.run(bash, { command }, { sandboxed: true, ...over });

it("quarantine moves a link that a command created in the path, but not its target", async () => {
  const other = join(dirname(trial.root), "other");
  mkdirSync(join(other, "workflows"), { recursive: true });
  symlinkSync(other, join(trial.root, ".github"));
  expect(await quarantine([join(trial.root, ".github/workflows")], [])).toEqual([
    join(trial.root, ".github.set-aside"),
  ]);
  expect(readdirSync(other)).toEqual(["workflows"]);
});

it("quarantine chooses a free name, and skips files that do not exist", async () => {
  trial.file(".npmrc");
  trial.file(".npmrc.set-aside", "older");
  const places = [".npmrc", ".envrc"].map((name) => join(trial.root, name));
  expect(await quarantine(places, [])).toEqual([join(trial.root, ".npmrc.set-aside-2")]);
  expect(trial.text(".npmrc.set-aside")).toBe("older");
});

describe.skipIf(missing !== "")(`a file that the sandbox cannot protect in advance${missing}`, () => {
  it.each([
    ["a file that programs run code because of", "echo bad > .npmrc", ".npmrc"],
    [
      "workflows in a new folder",
      "mkdir -p .github/workflows; echo bad > .github/workflows/x.yml",
      ".github/workflows",
    ],
    ["another configuration of git", "mkdir evil; echo ../evil > .git/commondir", ".git/commondir"],
    ["a configuration of one worktree", "echo bad > .git/config.worktree", ".git/config.worktree"],
    ["attributes for git", "echo '* filter=x' > .git/info/attributes", ".git/info/attributes"],
  ])("is quarantined after the command: %s", async (_what, command, place) => {
    for (const name of [".git/HEAD", ".git/config", ".git/info/exclude"]) trial.file(name);
    const { text } = await run(command);
    expect(text).toContain(`moved aside, as programs run code because of it`);
    expect(text).toContain(`${join(trial.root, place)}.set-aside`);
    expect(existsSync(join(trial.root, place))).toBe(false);
  });

  it("is restored when it was a link", async () => {
    trial.file("kept/settings.json", "{}");
    symlinkSync("kept", join(trial.root, ".harness"));
    const { text } = await run("rm .harness && mkdir .harness && echo bad > .harness/mcp.json");
    expect(text).toContain(".harness.set-aside");
    expect(readlinkSync(join(trial.root, ".harness"))).toBe("kept");
    expect(await run("rm .harness")).toMatchObject({ text: "(no output)" });
    expect(readlinkSync(join(trial.root, ".harness"))).toBe("kept");
  });

  it("is left alone when it existed before", async () => {
    trial.file(".npmrc", "good");
    expect((await run("cat .npmrc")).text).toBe("good");
  });
});

describe.skipIf(missing !== "")(`a file of a submodule or worktree that git reads${missing}`, () => {
  const cases: [string, string, string][] = [
    ["a hook of a submodule", ".git/modules/libs/deep/hooks/post-checkout", "x"],
    ["the configuration of a submodule", ".git/modules/libs/deep/config", "x"],
    ["that of a submodule's submodule", ".git/modules/libs/deep/modules/more/config", "x"],
    ["where a worktree has its configuration", ".git/worktrees/w/commondir", "../../evil"],
  ];
  it.each(cases)("cannot be changed: %s", async (_what, place, bad) => {
    for (const name of [".git", ".git/modules/libs/deep", ".git/modules/libs/deep/modules/more", ".git/worktrees/w"]) {
      trial.file(`${name}/HEAD`);
    }
    trial.file(place, "good");
    expect((await run(`echo ${bad} > ${place}`)).status).toBe("error");
    expect((await run(`rm -rf ${dirname(place)}`)).status).toBe("error");
    expect(readFileSync(join(trial.root, place), "utf8")).toBe("good");
  });
});

describe.skipIf(missing !== "")(`two commands at the same time${missing}`, () => {
  it("protect the same places, so that files of one are not mounted for the other", async () => {
    const first = run(
      "mkdir -p made/.git && echo x > made/.git/config && echo made; until [ -e stop ]; do sleep 0.02; done",
    );
    await expect.poll(() => existsSync(join(trial.root, "made/.git/config")), { timeout: 60_000 }).toBe(true);
    expect((await run("grep -c made /proc/self/mountinfo")).text).toMatch(/^0/);
    trial.file("stop");
    await first;
    expect((await run("grep -c made /proc/self/mountinfo")).text).toMatch(/^[1-9]/);
  });
});

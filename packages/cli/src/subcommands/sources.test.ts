import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../test/harness-process.ts";
import { runInProcess } from "../../test/in-process.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
});
afterAll(() => place?.remove());

function put(path: string, text = "#!/bin/sh\n", mode = 0o755): string {
  const file = join(place.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe("harness sources", () => {
  it("harness sources says where nothing was found", async () => {
    const { code, stdout } = await runInProcess(place, ["sources"]);
    expect([code, stdout]).toEqual([
      0,
      "There are no extensions: no .harness folder was found here, above, or in your home.\n",
    ]);
  });

  it("harness sources lists every file with where it comes from, what it replaces, and why it is not used", async () => {
    mkdirSync(join(place.cwd, ".git"));
    const far = put(".harness/tools/count");
    const near = put("project/.harness/tools/count");
    const agent = put("home/agents/broken.md", "no prompt", 0o644);
    const plain = put("project/.harness/hooks.d/send/20-log", "#!/bin/sh\n", 0o644);
    symlinkSync("/etc/hostname", join(place.cwd, ".harness/tools/out"));
    const untrusted = await runInProcess(place, ["sources"]);
    expect(untrusted.stdout).toMatch(/^tool +count +you .+\/\.harness\/tools\/count *$/m);
    expect(untrusted.stdout).toMatch(/^tool +count +project .+ not trusted$/m);
    expect(untrusted.stderr).toContain(`harness: ${near} is not used: its folder is not trusted.\n`);
    expect(untrusted.stderr).toContain("harness: harness trust shows what they would do.\n");

    const { hash } = JSON.parse((await runInProcess(place, ["trust", "--json"])).stdout);
    expect((await runInProcess(place, ["trust", "--yes", hash])).code).toBe(0);
    const { stdout, stderr } = await runInProcess(place, ["sources", "--json"]);
    expect(stderr).toBe("");
    const { entries } = JSON.parse(stdout);
    expect(entries).toEqual([
      expect.objectContaining({ kind: "agent", path: agent, problem: expect.stringContaining("has no description") }),
      expect.objectContaining({ kind: "tool", path: far, owner: "person", shadowedBy: near, shadows: [] }),
      expect.objectContaining({ kind: "tool", path: near, owner: "project", shadows: [far], trusted: true }),
      expect.objectContaining({
        name: "out",
        problem: expect.stringContaining("a link that leads out of the project"),
        trusted: true,
      }),
      expect.objectContaining({
        kind: "hook",
        stage: "send",
        path: plain,
        problem: expect.stringContaining("not executable"),
      }),
    ]);
    const table = await runInProcess(place, ["sources"]);
    expect(table.stdout).toMatch(/^tool +count +project .+replaces /m);
    expect(table.stdout).toMatch(/^hook +send\/20-log +project .+ not used$/m);
    expect(table.stderr).toContain(`harness: ${plain} is not used: it is not executable. Run chmod +x ${plain}\n`);
  });
});

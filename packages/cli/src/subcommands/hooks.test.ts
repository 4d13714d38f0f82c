import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../test/harness-process.ts";
import { runInProcess } from "../../test/in-process.ts";

let place: TestHome;
beforeAll(() => {
  place = new TestHome();
});
afterAll(() => place?.remove());

function put(path: string, text: string, mode = 0o755): string {
  const file = join(place.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe("harness hooks", () => {
  it("harness hooks lists the built-in steps by stage in order, and hooks among them with what is wrong", async () => {
    const far = put("home/hooks.d/assemble/25-mine", "#!/bin/sh\n");
    const near = put("project/.harness/hooks.d/assemble/25-mine", "#!/bin/sh\n");
    put("home/hooks.d/assemble/25-mine.conf", "timeout=never\n", 0o644);
    put("home/hooks.d/tool_exec/10-exec", "#!/bin/sh\n");
    const plain = put("home/hooks.d/send/20-log", "#!/bin/sh\n", 0o644);
    const stray = put("home/hooks.d/sends/20-log", "#!/bin/sh\n");
    const { code, stdout, stderr } = await runInProcess(place, ["hooks"]);
    expect(code).toBe(0);
    const words = stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 2).join("/").trim());
    const at = (name: string) => words.indexOf(name);
    const order = [
      "sources/30-walk-dirs",
      "sources/40-scope-providers",
      "assemble/10-messages",
      "assemble/25-mine",
      "assemble/30-prompts",
      "tool_exec/10-exec",
    ];
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
    expect(at("sources/30-walk-dirs")).toBeGreaterThan(0);
    expect(stdout).toMatch(/tool_exec +10-exec +you .+ replaces the built-in step/);
    expect(stdout).toContain("not trusted");
    expect(stderr).toContain(`${far}.conf, line 1: timeout must be a number of seconds, up to 3600.`);
    expect(stderr).toContain(`${near} is not used: its folder is not trusted.`);
    expect(stderr).toContain(`${plain} is not used: it is not executable.`);
    expect(stderr).toContain(`${stray} never runs: there is no stage "sends".`);
    const { hooks } = JSON.parse((await runInProcess(place, ["hooks", "--json"])).stdout);
    expect(hooks).toContainEqual(
      expect.objectContaining({ event: "assemble", path: near, trusted: false, owner: "project" }),
    );
  });

  it("harness hooks why says what was found and why it does not run, and what stages there are", async () => {
    const { stdout } = await runInProcess(place, ["hooks", "why", "send"]);
    expect(stdout).toContain("Found for send, in this order:");
    expect(stdout).toContain("it is not executable. Run chmod +x");
    const wrong = await runInProcess(place, ["hooks", "why", "sending"]);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('There is no stage or event "sending". There are: sources, resolve, start,');
    expect((await runInProcess(place, ["hooks", "because"])).stderr).toContain("Usage: harness hooks why");
  });
});

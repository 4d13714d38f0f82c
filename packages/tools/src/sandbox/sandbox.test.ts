import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sandboxWith, stubPrograms } from "../../test/available-sandbox.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const bashWith = (wanted: "on" | "auto" | "off", path: string) =>
  createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox: sandboxWith({ wanted, path }) });
const emptyPath = () => {
  const folder = join(trial.root, "..", "empty");
  mkdirSync(folder, { recursive: true });
  return folder;
};
const stub = (script: string) => stubPrograms(join(trial.root, "..", "stubs"), script);

describe.runIf(process.platform === "linux")("an unavailable sandbox", () => {
  it("reports the missing program and how to install it", async () => {
    const sandbox = sandboxWith({ path: emptyPath() });
    await sandbox.ready();
    expect(sandbox.active).toBe(false);
    expect(sandbox.why).toMatch(/^bubblewrap is not installed \(Debian, Ubuntu: apt install bubblewrap;/);
  });

  it("reports socat as well when hosts are allowed", async () => {
    const sandbox = sandboxWith({ path: emptyPath(), allowedDomains: ["example.com"] });
    await sandbox.ready();
    expect(sandbox.why).toMatch(/^bubblewrap and socat are not installed .*apt install bubblewrap socat;/);
  });

  it.each([
    [
      "fails",
      "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
      /does not let it create namespaces \(bwr/,
    ],
    ["fails without a word", "exit 1", /^it does not start$/],
    ["is too old", "echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", /older than 0\.8\.0/],
    ["claims to have done it", "exit 0", /^it does not start$/],
    ["lets everything out", 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"', /is not tight/],
  ])("is detected by running a bubblewrap that %s", async (_what, script, why) => {
    const sandbox = sandboxWith({ path: stub(script) });
    await sandbox.ready();
    expect(sandbox.active).toBe(false);
    expect(sandbox.why).toMatch(why);
    expect(await sandbox.contain({ argv: ["true"], cwd: trial.root, roots: [trial.root] })).toEqual({
      problem: sandbox.why,
    });
  });

  it("is reported once when it is not required, and the command runs", async () => {
    const bash = bashWith("auto", stub("exit 1"));
    const first = await trial.run(bash, { command: "echo hello" });
    expect(first.text).toBe("hello\n[unsandboxed: it does not start]");
    expect(first.blocks).toMatchObject([{ type: "terminal", sandboxed: false }]);
    expect((await trial.run(bash, { command: "echo hello" })).text).toBe("hello");
  });

  it("stops every command when it is required", async () => {
    const bash = bashWith("on", stub("exit 1"));
    for (const sandboxed of [undefined, false, true]) {
      const over = sandboxed === undefined ? {} : { sandboxed };
      const result = await trial.run(bash, { command: "touch ran" }, over);
      expect(result.status).toBe("error");
      expect(result.text).toContain("setting sandbox = on");
      expect(existsSync(join(trial.root, "ran"))).toBe(false);
    }
  });

  it("stops a command that the gate requires to be sandboxed", async () => {
    const result = await trial.run(bashWith("auto", stub("exit 1")), { command: "touch ran" }, { sandboxed: true });
    expect(result.status).toBe("error");
    expect(existsSync(join(trial.root, "ran"))).toBe(false);
  });
});

describe("a sandbox that is switched off", () => {
  it("needs no program and reports nothing", async () => {
    const bash = bashWith("off", emptyPath());
    expect(await trial.run(bash, { command: "echo hello" })).toMatchObject({ text: "hello" });
    expect(bash.args.safeParse({ command: "x", outside_sandbox: true }).success).toBe(false);
  });
});

describe("a command that was allowed because it only reads", () => {
  const checked = {
    commands: [{ program: "echo", args: [{ text: "$HOME; touch ran", glob: false }], env: [], redirects: [] }],
    joins: [],
  };

  it.each(["on", "auto", "off"] as const)(
    "runs as it was checked, whatever its text says (sandbox %s)",
    async (wanted) => {
      const result = await trial.run(
        bashWith(wanted, emptyPath()),
        { command: "touch ran" },
        { checked, sandboxed: false },
      );
      expect(result.text).toBe("$HOME; touch ran");
      expect(existsSync(join(trial.root, "ran"))).toBe(false);
    },
  );
});

describe("running outside the sandbox", () => {
  const bash = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox: sandboxWith() });

  it("is an effect that the gate sees", () => {
    expect(bash.effects({ command: "x", outside_sandbox: true }, "/w")).toEqual([
      { kind: "run", command: "x", cwd: "/w", outside: true },
    ]);
    expect(bash.effects({ command: "x" }, "/w")).toEqual([{ kind: "run", command: "x", cwd: "/w" }]);
  });

  it("happens when a person has allowed it", async () => {
    const result = await trial.run(bash, { command: "echo $TMPDIR-", outside_sandbox: true }, { sandboxed: false });
    expect(result.blocks).toMatchObject([{ sandboxed: false }]);
    expect(result.status).toBe("ok");
  });
});

import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idleFlags, runFlags, runTunables, startFlags } from "../../build/v8-flags.mjs";
import { FakeCheckout, Gate } from "./fake-checkout.ts";

const oldNode = "#!/bin/sh\necho v20.11.1\n";
let checkout: FakeCheckout;

beforeEach(() => {
  checkout = new FakeCheckout();
});
afterEach(() => checkout.remove());

/** Makes every write into the checkout fail, even for root. */
function makeReadOnly(): void {
  for (const name of ["mkdir", "ln"]) checkout.fake(name, "#!/bin/sh\necho 'Read-only file system' >&2\nexit 1\n");
}

function leaveLockOf(owner: string): void {
  mkdirSync(join(checkout.root, ".runtime"), { recursive: true });
  symlinkSync(owner, join(checkout.root, ".runtime/lock"));
}

function endedProcess(): number {
  return spawnSync("sh", ["-c", ":"]).pid;
}

describe("bin/harness", () => {
  it("prepares the checkout at the first start only", async () => {
    const first = await checkout.harness(["one"]);
    expect(first).toMatchObject({ code: 0, stdout: JSON.stringify({ cwd: checkout.base, args: ["one"] }) });
    expect(first.stderr).toContain("harness: installing the packages");
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);

    expect(await checkout.harness(["two"])).toMatchObject({ code: 0, stderr: "" });
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
  });

  it("passes on the working directory and the arguments unchanged", async () => {
    const args = ["a  b", "", "*", "$HOME", "-x", "ä\n"];
    expect(JSON.parse((await checkout.harness(args)).stdout)).toEqual({ cwd: checkout.base, args });
  });

  it.each([
    ["an absolute link", ["check out/bin/harness"], "/link"],
    ["a chain of relative links", ["check out/bin/harness", "link"], "link2"],
    ["a linked folder", ["check out"], "link/bin/harness"],
    ["the folder above a linked one", ["check out/packages"], "link/../bin/harness"],
  ])("runs when started through %s", async (_, targets, command) => {
    const absolute = command.startsWith("/");
    for (const [at, target] of targets.entries()) {
      symlinkSync(absolute ? join(checkout.base, target) : target, join(checkout.base, at === 0 ? "link" : "link2"));
    }
    const path = absolute ? join(checkout.base, command) : `./${command}`;
    expect(await checkout.run(path, ["x"])).toMatchObject({ code: 0 });
    expect(checkout.has("dist/harness.mjs")).toBe(true);
  });

  it("runs when started by name from the PATH", async () => {
    const start = checkout.start("sh", ["harness", "x"], {}, join(checkout.root, "bin"));
    expect(await start.ending).toMatchObject({ code: 0 });
  });

  it("passes on stdin, the exit code and signals", async () => {
    expect(await checkout.harness(["fail"])).toMatchObject({ code: 7 });

    const echo = checkout.start(join(checkout.root, "bin/harness"), ["echo"]);
    echo.child.stdin?.end("typed");
    expect(await echo.ending).toMatchObject({ code: 0, stdout: "typed" });

    const waiting = checkout.start(join(checkout.root, "bin/harness"), ["wait"]);
    await waiting.said("ready");
    waiting.child.kill("SIGTERM");
    expect(await waiting.ending).toMatchObject({ code: 9, signal: null });
  });

  it("leaves stdin to the program even when it has to prepare the checkout first", async () => {
    const echo = checkout.start(join(checkout.root, "bin/harness"), ["echo"]);
    echo.child.stdin?.end("typed");
    expect(await echo.ending).toMatchObject({ code: 0, stdout: "typed" });
  });

  it("builds again when a source, but not a test, was changed or removed", async () => {
    checkout.write("packages/cli/src/other.ts", "");
    checkout.write("packages/cli/src/other.test.ts", "");
    await checkout.harness();
    checkout.write("packages/cli/src/other.test.ts", "changed");
    await checkout.harness();
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
    checkout.write("packages/cli/src/other.ts", "changed");
    await checkout.harness();
    expect(checkout.calls()).toEqual(["npm ci", "bundle", "bundle"]);
    rmSync(join(checkout.root, "packages/cli/src/other.ts"));
    await checkout.harness();
    expect(checkout.calls()).toEqual(["npm ci", "bundle", "bundle", "bundle"]);
  });

  it("builds again when what makes the bundle was changed", async () => {
    checkout.write("build/snapshot/entry.mjs", "");
    await checkout.harness();
    checkout.write("build/snapshot/entry.mjs", "changed");
    await checkout.harness();
    await checkout.harness();
    expect(checkout.calls()).toEqual(["npm ci", "bundle", "bundle"]);
  });

  it("never runs an old program after an edit, whoever made the checkout", async () => {
    checkout.write(".git/index", "");
    await checkout.harness();
    await checkout.harness();
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
    const program = readFileSync(join(checkout.root, "packages/cli/src/main.ts"), "utf8");
    // Edited in place: no folder changes with it.
    appendFileSync(join(checkout.root, "packages/cli/src/main.ts"), 'process.stderr.write("new");');
    const start = await checkout.harness(["a", "b c"]);
    expect(JSON.parse(start.stdout)).toMatchObject({ args: ["a", "b c"] });
    expect(start.stderr).toMatch(/new$/);
    expect(checkout.calls()).toEqual(["npm ci", "bundle", "bundle"]);
    checkout.write("packages/cli/src/main.ts", program);
    expect((await checkout.harness()).stderr).not.toMatch(/new$/);
    expect(readdirSync(join(checkout.root, ".runtime")).filter((name) => name.startsWith("look"))).toEqual([]);
  });

  it("builds a program of before the present launcher again, which does not wait for the look", async () => {
    await checkout.harness();
    checkout.write("dist/harness.mjs", "process.stdout.write('old');");
    const later = new Date(Date.now() + 2_000);
    utimesSync(join(checkout.root, "bin/runtime.sh"), later, later);
    expect((await checkout.harness()).stdout).not.toContain("old");
  });

  it("ends once where a source is dated in the future", async () => {
    await checkout.harness();
    const later = new Date(Date.now() + 100_000);
    utimesSync(join(checkout.root, "packages/cli/src/main.ts"), later, later);
    await checkout.harness();
    expect(checkout.calls()).toEqual(["npm ci", "bundle", "bundle"]);
  });

  it("starts Node under the flags of bin/v8-flags.sh: a run from its snapshot under those of a run", async () => {
    await checkout.harness();
    const node = ".runtime/bin/node";
    rmSync(join(checkout.root, node));
    checkout.write(node, `#!/bin/sh\nprintf '%s\\n' "\${GLIBC_TUNABLES:-none}" "$@"\n`);
    chmodSync(join(checkout.root, node), 0o755);
    const identity = execFileSync("ls", ["-is", join(checkout.root, node)], { encoding: "utf8" });
    checkout.write("dist/run-snapshot.blob", "heap");
    checkout.write("dist/run-snapshot.of", `${identity.trim().split(/\s+/, 2).join(" ")}\n`);
    const said = async (word: string) => (await checkout.harness([word])).stdout.trimEnd().split("\n");
    const inDist = (name: string) => expect.stringMatching(`/dist/${name}$`);
    const run = [runTunables, ...startFlags, ...runFlags, "--snapshot-blob", inDist("run-snapshot.blob")];
    expect(await said("run")).toEqual([...run, inDist("harness.mjs"), "run"]);
    expect(await said("serve")).toEqual(["none", ...startFlags, ...idleFlags, inDist("harness.mjs"), "serve"]);
  });

  it("says its version without a Node, packages or a bundle", async () => {
    checkout.write("package.json", `{\n  "name": "harness",\n  "version": "1.2.3",\n  "type": "module"\n}\n`);
    for (const flag of ["--version", "-V"]) {
      expect(await checkout.harness([flag])).toMatchObject({ code: 0, stdout: "harness 1.2.3\n", stderr: "" });
    }
    expect(checkout.calls()).toEqual([]);
    expect(JSON.parse((await checkout.harness(["--version", "x"])).stdout).args).toEqual(["--version", "x"]);
  });

  it("installs again exactly once when the lock file is newer, whatever its date", async () => {
    await checkout.harness();
    const future = new Date(Date.now() + 3_600_000);
    utimesSync(join(checkout.root, "package-lock.json"), future, future);
    await checkout.harness();
    await checkout.harness();
    expect(checkout.calls().filter((call) => call === "npm ci")).toHaveLength(2);
  });

  it("installs again when an installation was interrupted", async () => {
    await checkout.harness();
    rmSync(join(checkout.root, "node_modules/.package-lock.json"));
    await checkout.harness();
    expect(checkout.calls().filter((call) => call === "npm ci")).toHaveLength(2);
  });
});

describe("the launcher's Node", () => {
  it("is installed once when the system's Node is too old", async () => {
    checkout.fake("node", oldNode);
    expect((await checkout.harness(["x"])).stderr).toContain("found no Node 24 or newer");
    expect(await checkout.harness(["x"])).toMatchObject({ code: 0, stderr: "" });
    expect(checkout.calls()).toEqual(["npm install", "npm ci", "bundle"]);
    expect(readlinkSync(join(checkout.root, ".runtime/bin/node"))).toBe("../node_modules/node/bin/node");
  });

  it("is looked up again when the previous one was removed", async () => {
    await checkout.harness();
    const link = join(checkout.root, ".runtime/bin/node");
    rmSync(link);
    symlinkSync("/gone/node", link);
    expect(await checkout.harness()).toMatchObject({ code: 0, stderr: "" });
    expect(readlinkSync(link)).toBe(process.execPath);
  });

  it("must be installed by the person when npm has none for this system", async () => {
    checkout.fake("node", oldNode);
    const { code, stderr } = await checkout.harness([], { NEW_NODE: "/gone/node" });
    expect(code).toBe(1);
    expect(stderr).toContain("does not run on this system");
    expect(stderr).toContain("Install Node.js 24 or newer");
    expect(checkout.has(".runtime/node_modules")).toBe(false);
  });
});

describe("HARNESS_NO_INSTALL=1", () => {
  const env = { HARNESS_NO_INSTALL: "1" };

  it("installs no packages, and names the command that would install them", async () => {
    const { code, stdout, stderr } = await checkout.harness([], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("HARNESS_NO_INSTALL is set, so nothing is installed");
    expect(stderr).toContain(`Install it by hand: npm ci --include=dev, in ${checkout.root}`);
    expect(checkout.calls()).toEqual([]);
    expect(checkout.has(".runtime/lock")).toBe(false);
    expect(await checkout.run("sh", [join(checkout.root, "bin/with-node"), "true"], env)).toMatchObject({
      code: 1,
      stderr,
    });
  });

  it("installs no Node", async () => {
    checkout.fake("node", oldNode);
    const { code, stderr } = await checkout.harness([], env);
    expect(code).toBe(1);
    expect(stderr).toContain("found no Node 24 or newer, and HARNESS_NO_INSTALL is set");
    expect(checkout.calls()).toEqual([]);
  });

  it("lets a prepared checkout be built and run", async () => {
    await checkout.harness();
    checkout.write("packages/cli/src/main.ts", "process.exitCode = 3;");
    expect(await checkout.harness([], env)).toMatchObject({ code: 3 });
    expect(checkout.calls()).toEqual(["npm ci", "bundle", "bundle"]);
  });
});

describe("an error message of the launcher", () => {
  it("names a missing npm", async () => {
    checkout.withoutFake("npm");
    const { code, stdout, stderr } = await checkout.harness();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("npm was not found on PATH");
    expect(checkout.has(".runtime/lock")).toBe(false);
  });

  it("names missing Node and npm", async () => {
    checkout.withoutFake("npm");
    checkout.withoutFake("node");
    const { code, stderr } = await checkout.harness();
    expect(code).toBe(1);
    expect(stderr).toContain("None was found on PATH, and no npm to fetch one with");
    expect(stderr).toContain("Install Node.js 24 or newer");
  });

  it.each([
    ["ENOTFOUND", "The npm registry cannot be reached"],
    ["ENOSPC", "The disk is full"],
    ["EACCES", "A folder cannot be written"],
    ["EINTEGRITY", "Fix what these lines name"],
  ])("reports that npm ci ended with %s", async (fault, advice) => {
    const { code, stdout, stderr } = await checkout.harness([], { FAULT: fault });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`npm ci failed in ${checkout.root}`);
    expect(stderr).toContain(join(checkout.root, ".runtime/npm-ci.log"));
    expect(stderr).toContain(`  | npm error code ${fault}\n`);
    expect(stderr).toContain(advice);
    expect(await checkout.harness()).toMatchObject({ code: 0 });
  });

  it("reports that the Node cannot be installed", async () => {
    checkout.fake("node", oldNode);
    const { code, stderr } = await checkout.harness([], { FAULT: "ENOTFOUND" });
    expect(code).toBe(1);
    expect(stderr).toContain("npm could not install Node");
    expect(stderr).toContain("The npm registry cannot be reached");
  });

  it("reports that the build fails", async () => {
    await checkout.harness();
    checkout.write("packages/cli/src/main.ts", "let");
    const { code, stderr } = await checkout.harness([], { FAULT: "bundle" });
    expect(code).toBe(1);
    expect(stderr).toContain("main.ts:1: error");
    expect(stderr).toContain("the build failed");
    expect(checkout.has(".runtime/lock")).toBe(false);
  });
});

describe("a read-only checkout", () => {
  it("runs the existing build even when its sources look newer", async () => {
    await checkout.harness();
    checkout.write("packages/cli/src/main.ts", "changed");
    makeReadOnly();
    expect(await checkout.harness(["x"])).toMatchObject({ code: 0, stderr: "" });
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
  });

  it("reports that nothing was built", async () => {
    makeReadOnly();
    const { code, stderr } = await checkout.harness();
    expect(code).toBe(1);
    expect(stderr).toContain(`harness has not been built yet, and nothing can be written to ${checkout.root}`);
    checkout.fake("node", oldNode);
    expect((await checkout.harness()).stderr).toContain("no Node 24 or newer was found, and nothing can be written");
  });

  it("ignores a stale lock inside it", async () => {
    await checkout.harness();
    checkout.write("packages/cli/src/main.ts", "changed");
    leaveLockOf(`${endedProcess()}@${hostname()}`);
    makeReadOnly();
    expect(await checkout.harness(["x"])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("several starts at once", () => {
  it("prepare the checkout once: the second waits for the first and says so", async () => {
    const gate = new Gate(join(checkout.base, "gate"));
    const command = join(checkout.root, "bin/harness");
    const first = checkout.start(command, ["first"], { GATE: gate.dir });
    await gate.begun();
    const second = checkout.start(command, ["second"]);
    await second.said(`another start (process ${first.child.pid}) is preparing ${checkout.root}`);
    await gate.open();
    expect(await first.ending).toMatchObject({ code: 0 });
    expect(await second.ending).toMatchObject({ code: 0 });
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
    expect(checkout.has(".runtime/lock")).toBe(false);
  });

  it("take over the lock of a process that has ended, one at a time", async () => {
    leaveLockOf(`${endedProcess()}@${hostname()}`);
    const endings = await Promise.all(["a", "b", "c"].map((name) => checkout.harness([name])));
    expect(endings.map((ending) => ending.code)).toEqual([0, 0, 0]);
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
  });

  it("take over an old lock of another machine", async () => {
    leaveLockOf("1@elsewhere");
    execFileSync("touch", ["-h", "-t", "202001010000", join(checkout.root, ".runtime/lock")]);
    expect(await checkout.harness()).toMatchObject({ code: 0 });
  });

  it("end npm at a signal, and the next start prepares the checkout again", async () => {
    const gate = new Gate(join(checkout.base, "gate"));
    checkout.fake("node", oldNode);
    const first = checkout.start(join(checkout.root, "bin/harness"), [], { GATE: gate.dir });
    await gate.begun();
    const npm = Number(readFileSync(join(checkout.root, ".runtime/child"), "utf8"));
    first.child.kill("SIGINT");
    const { signal, stderr } = await first.ending;
    expect(signal).toBe("SIGINT");
    expect(stderr).toContain("stopped while preparing");
    expect(() => process.kill(npm, 0)).toThrow();
    expect(readdirSync(join(checkout.root, ".runtime"))).toEqual(["install-node.log"]);
    expect(await checkout.harness()).toMatchObject({ code: 0 });
  });

  it("wait for the npm of a start that was killed", async () => {
    const gate = new Gate(join(checkout.base, "gate"));
    const command = join(checkout.root, "bin/harness");
    const first = checkout.start(command, [], { GATE: gate.dir });
    await gate.begun();
    first.child.kill("SIGKILL");
    await first.ending;
    const second = checkout.start(command);
    await second.said("another start");
    await gate.open();
    expect(await second.ending).toMatchObject({ code: 0 });
    expect(checkout.calls()).toEqual(["npm ci", "bundle"]);
  });
});

describe("bin/with-node", () => {
  const withNode = (args: readonly string[], env: Record<string, string> = {}) =>
    checkout.run("sh", [join(checkout.root, "bin/with-node"), ...args], env);

  it("leaves PATH unchanged when its Node is new enough", async () => {
    const { stdout } = await withNode(["sh", "-c", "command -v node"]);
    expect(stdout).toBe(`${join(checkout.base, "fakes/node")}\n`);
    expect(checkout.calls()).toEqual(["npm ci"]);
    expect(await withNode(["sh", "-c", "exit 3"])).toMatchObject({ code: 3, stderr: "" });
  });

  it("puts the installed Node first when the system's is too old", async () => {
    checkout.fake("node", oldNode);
    const { stdout } = await withNode(["node", "-p", "process.execPath"]);
    expect(stdout).toBe(`${process.execPath}\n`);
    expect(await withNode(["node", "-e", "0"])).toMatchObject({ code: 0, stderr: "" });
    expect(checkout.calls()).toEqual(["npm install", "npm ci"]);
  });

  it("gives npm a cache folder when there is no home directory", async () => {
    const log = join(checkout.root, ".runtime/npm-ci.log");
    const homeless: Record<string, string>[] = [
      { HOME: "" },
      { HOME: "/gone" },
      { npm_config_cache: "/dev/null/cache" },
    ];
    for (const env of homeless) {
      rmSync(join(checkout.root, "node_modules"), { recursive: true, force: true });
      expect(await withNode(["sh", "-c", ":"], env)).toMatchObject({ code: 0 });
      expect(readFileSync(log, "utf8")).toBe(`cache ${join(checkout.root, ".runtime/npm-cache")}\n`);
    }
    rmSync(join(checkout.root, "node_modules"), { recursive: true });
    await withNode(["sh", "-c", ":"]);
    expect(readFileSync(log, "utf8")).toBe("cache of its own\n");
  });

  it("reports a missing command", async () => {
    expect(await withNode([])).toMatchObject({ code: 2, stdout: "" });
  });
});

it("the scripts are executable", () => {
  for (const name of ["harness", "with-node"]) {
    expect(statSync(join(import.meta.dirname, "../../bin", name)).mode & 0o111).toBe(0o111);
  }
});

// The npm package `harness` (build/package/make.mjs), installed in a fresh folder without network.
import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const top = realpathSync(mkdtempSync(join(tmpdir(), "harness package ")));
const project = join(top, "project");
const prefix = join(top, "global");
const installed = join(prefix, "lib/node_modules/harness");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tarball = join(top, `harness-${version}.tgz`);
let model: ModelServer;
let env: NodeJS.ProcessEnv;

type Ended = { code: number; stdout: string; stderr: string };

function run(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}, input = ""): Promise<Ended> {
  return new Promise((done) => {
    const options = { cwd: project, env: { ...env, ...more } };
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      done({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const npm = (...args: string[]) => run("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel=error"]);

beforeAll(async () => {
  mkdirSync(project);
  const fits = turns.say('{"ok":true,"why":"It builds."}', { repeat: "always" });
  model = await startModelServer({
    scenario: {
      lanes: [{ match: "JSON Schema", turns: [fits] }],
      turns: [turns.say("Hello there.", { repeat: "always" })],
    },
  });
  env = {
    PATH: [join(prefix, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: top,
    HARNESS_HOME: join(top, "home"),
    HARNESS_MODEL: "scripted-model",
    npm_config_cache: join(top, "npm-cache"),
    ...model.environment,
  };
  const made = await run(process.execPath, [join(root, "build/package/make.mjs"), top]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(tarball) });
  expect(await npm("install", "--global", "--prefix", prefix, tarball)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await model?.close();
  rmSync(top, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

describe("npm i -g of the package", () => {
  it("gives a harness that runs, with nothing fetched beside it", async () => {
    expect(await run("harness", ["--version"])).toEqual({ code: 0, stdout: `harness ${version}\n`, stderr: "" });
    expect(await run("harness", ["run", "hi"])).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    const { dependencies, bundleDependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(Object.keys(dependencies)).toEqual(bundleDependencies);
  });

  it("has each file that is loaded from its place", async () => {
    writeFileSync(join(project, "sum.ts"), "export function addNumbers(a: number, b: number) {\n  return a + b;\n}\n");
    expect(await run("harness", ["index"])).toMatchObject({ code: 0 });
    const found = await run("harness", ["search", "add numbers"]);
    expect(found.stdout).toContain("sum.ts");
    const code = `import { createRequire } from "node:module";
      const require = createRequire(${JSON.stringify(join(installed, "dist/harness.mjs"))});
      for (const each of ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"]) {
        await WebAssembly.compile((await import("node:fs")).readFileSync(require.resolve(each)));
      }
      const { PhotonImage } = require("@silvia-odwyer/photon-node");
      const { SandboxManager } = await import(require.resolve("@anthropic-ai/sandbox-runtime"));
      process.stdout.write([typeof PhotonImage, typeof SandboxManager.initialize].join());`;
    expect(await run(process.execPath, ["--input-type=module", "-e", code])).toMatchObject({
      stdout: "function,function",
      stderr: "",
    });
  });

  it("is the agent that the registry of editors would start", async () => {
    const agent = JSON.parse(readFileSync(join(root, "packages/acp/agent.json"), "utf8"));
    const { name } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const { args, package: named } = agent.distribution.npx;
    expect(named).toBe(`${name}@${version}`);
    const ask = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
    const { stdout } = await run(
      "npx",
      ["--offline", "--yes", "--package", tarball, "--", name, ...args],
      {},
      `${JSON.stringify(ask)}\n`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { agentInfo: { name: agent.id, version } } });
  });

  it("says which Node it needs", async () => {
    const old = join(top, "old");
    mkdirSync(old);
    writeFileSync(join(old, "node"), "#!/bin/sh\necho v20.1.0\n");
    chmodSync(join(old, "node"), 0o755);
    const ended = await run("harness", ["help"], { PATH: [old, env.PATH].join(delimiter) });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toBe(
      `harness: ${old}/node is Node 20.1.0, but harness needs 24 or newer: https://nodejs.org\n`,
    );
    expect(await run("harness", ["--version"])).toMatchObject({ code: 0 });
  });
});

const dist = join(installed, "dist");
const inDist = (name: string) => join(dist, name);

/** Resolves when the folder has one of these files. */
async function untilThere(...names: string[]): Promise<string> {
  const found = () => names.find((name) => existsSync(inDist(name)));
  const { promise, resolve: done } = Promise.withResolvers<string>();
  const look = () => {
    const name = found();
    if (name !== undefined) done(name);
  };
  const watcher = watch(dist, look);
  look();
  return await promise.finally(() => watcher.close());
}

async function untilGone(name: string): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  const look = () => void (existsSync(inDist(name)) || done());
  const watcher = watch(dist, look);
  look();
  await promise.finally(() => watcher.close());
}

/** Whether a run starts from the snapshot, by what its launcher executes. */
async function startOf(more: NodeJS.ProcessEnv = {}): Promise<"snapshot" | "bundle"> {
  const { code, stdout, stderr } = await run("sh", ["-x", join(installed, "bin/harness"), "run", "hi"], more);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello there.\n" });
  return /^\+ exec .*--snapshot-blob/m.test(stderr) ? "snapshot" : "bundle";
}

describe("the start-up snapshot of the installed package", () => {
  const forget = () => {
    for (const name of ["blob", "of", "failed"]) rmSync(inDist(`run-snapshot.${name}`), { force: true });
    rmSync(inDist("node"), { force: true });
  };
  const quiet = { CI: "true" };

  it("is made once after the first runs, by one process, and later runs start from it", async () => {
    await untilThere("run-snapshot.of");
    forget();
    expect(await Promise.all([startOf(), startOf(), startOf()])).toEqual(["bundle", "bundle", "bundle"]);
    expect(await untilThere("run-snapshot.of", "run-snapshot.failed")).toBe("run-snapshot.of");
    const { mtimeMs } = statSync(inDist("run-snapshot.blob"));
    expect(await startOf(quiet)).toBe("snapshot");
    expect(statSync(inDist("run-snapshot.blob")).mtimeMs).toBe(mtimeMs);
    expect(await startOf({ NODE_OPTIONS: "--no-warnings" })).toBe("bundle");
  });

  it("can be read by everybody and written by one, as the rest of the package", async () => {
    forget();
    const launcher = join(installed, "bin/harness");
    expect(await run("sh", ["-c", 'umask 007 && exec sh "$0" run hi', launcher])).toMatchObject({ code: 0 });
    expect(await untilThere("run-snapshot.of", "run-snapshot.failed")).toBe("run-snapshot.of");
    await untilGone("run-snapshot.lock");
    const modes = ["run-snapshot.blob", "run-snapshot.of", "node"].map((name) => statSync(inDist(name)).mode & 0o777);
    expect(modes).toEqual([0o644, 0o644, 0o644]);
  });

  it("is not taken by a different Node, nor when it was touched", async () => {
    const other = join(top, "other");
    mkdirSync(other);
    copyFileSync(process.execPath, join(other, "node"));
    expect(await startOf({ ...quiet, PATH: [other, env.PATH].join(delimiter) })).toBe("bundle");
    expect(await startOf(quiet)).toBe("snapshot");
    const later = new Date(Date.now() + 60_000);
    utimesSync(inDist("run-snapshot.blob"), later, later);
    expect(await startOf(quiet)).toBe("bundle");
  });

  it("is not tried again on the same day with a Node that could not make it, and runs go on without it", async () => {
    forget();
    const source = readFileSync(inDist("run-snapshot.cjs"));
    writeFileSync(inDist("run-snapshot.cjs"), 'throw new Error("no snapshot today");');
    expect(await startOf()).toBe("bundle");
    expect(await untilThere("run-snapshot.of", "run-snapshot.failed")).toBe("run-snapshot.failed");
    await untilGone("run-snapshot.lock");
    const failed = readFileSync(inDist("run-snapshot.failed"), "utf8");
    expect(failed).toContain("no snapshot today");
    writeFileSync(inDist("run-snapshot.cjs"), source);
    const { code, stderr } = await run("sh", ["-x", join(installed, "bin/harness"), "run", "hi"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\+ make_snapshot_later$/m);
    expect(stderr).toMatch(/^\+ return 0$/m);
    const earlier = new Date(Date.now() - 2 * 86_400_000);
    utimesSync(inDist("run-snapshot.failed"), earlier, earlier);
    // As if another process made it: nothing is made here, only begun.
    mkdirSync(inDist("run-snapshot.lock"));
    const later = await run("sh", ["-x", join(installed, "bin/harness"), "run", "hi"]);
    expect(later.stderr).toMatch(/^\+ make_snapshot_later$/m);
    expect(later.stderr).not.toMatch(/^\+ return 0$/m);
  });

  it("is removed with the package", async () => {
    expect(await npm("uninstall", "--global", "--prefix", prefix, "harness")).toMatchObject({ code: 0 });
    expect(existsSync(installed)).toBe(false);
  });
});

describe("harness/client, installed in a project", () => {
  beforeAll(async () => {
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    expect(await npm("install", tarball)).toMatchObject({ code: 0 });
    for (const name of ["session.mjs", "fleet.ts"]) copyFileSync(join(root, "examples", name), join(project, name));
  });

  it("drives a session", async () => {
    const ended = await run(process.execPath, ["session.mjs", "Say hello."]);
    expect(ended).toMatchObject({ code: 0, stdout: "Hello there." });
    expect(ended.stderr).toContain("end_turn; ");
  });

  it("drives many at once, and tells each result apart", async () => {
    mkdirSync(join(project, "other"), { recursive: true });
    const { code, stdout } = await run(process.execPath, ["fleet.ts", "Does it build?", ".", "other", "missing"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const answer = { ok: true, why: "It builds." };
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(
      expect.arrayContaining([
        { folder: ".", answer },
        { folder: "other", answer },
        { folder: "missing", error: expect.stringContaining("missing") },
      ]),
    );
    expect(code).toBe(1);
  });

  it("has types that a strict compiler accepts, and that find mistakes", async () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const base = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024", "--module", "nodenext"];
    const options = [...base, "--types", "node", "--typeRoots", join(root, "node_modules/@types")];
    expect(await run(process.execPath, [tsc, ...options, "fleet.ts"])).toEqual({ code: 0, stdout: "", stderr: "" });
    const wrong = 'import { Session } from "harness/client";\nnew Session(1, { cwd: 2 }, {}).promt("x");\n';
    writeFileSync(join(project, "wrong.ts"), wrong);
    const { code, stdout } = await run(process.execPath, [tsc, ...options, "wrong.ts"]);
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/'promt' does not exist/);
  });
});

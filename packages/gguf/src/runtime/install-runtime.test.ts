import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demandRuntime, testRuntime } from "../../test/running-models.ts";
import { type InstallResult, installRuntime } from "./install-runtime.ts";
import { llamaRecipe } from "./llama-recipe.ts";
import { findNpm, npmEnvironment } from "./npm-program.ts";
import { isInstalled, recipeFolder, runtimeFolder } from "./runtime-recipe.ts";

// The real installation is a step of `npm test`, by the same code; here npm is a scripted program.

let base: string;
let folder: string;
/** A Node without npm next to it. */
let execPath: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "harness install "));
  folder = runtimeFolder(join(base, "root"), {}, llamaRecipe);
  mkdirSync(join(base, "bin"));
  execPath = join(base, "bin/node");
  symlinkSync(process.execPath, execPath);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 10))),
};

/** It runs in the folder to be filled. */
function npmThat(does: string): Record<string, string> {
  writeFileSync(join(base, "bin/npm"), `#!/bin/sh\n${does}\n`);
  chmodSync(join(base, "bin/npm"), 0o755);
  return { PATH: `${join(base, "bin")}:${process.env.PATH}`, HOME: base };
}
const install = (env: Record<string, string>, signal?: AbortSignal) => {
  return installRuntime({ recipe: llamaRecipe, folder, env, clock, execPath, ...(signal && { signal }) });
};
const FILLS = `mkdir -p node_modules/node-llama-cpp/dist
echo '{"name":"node-llama-cpp","type":"module","exports":"./dist/index.js"}' > node_modules/node-llama-cpp/package.json
echo 'export const getLlama = async () => {};' > node_modules/node-llama-cpp/dist/index.js
echo "$@" > arguments; echo run >> ${"$HOME"}/runs`;
const left = () => readdirSync(join(base, "root/runtimes"));

describe("installRuntime", () => {
  it("has installed the real runtime for the tests", async () => {
    await demandRuntime();
    expect(await isInstalled(testRuntime, llamaRecipe)).toBe(true);
    expect(existsSync(join(testRuntime, "node_modules/@node-llama-cpp"))).toBe(true);
  });

  it("runs npm ci on a copy of the recipe, without scripts, and only once", async () => {
    const env = npmThat(FILLS);
    const both = await Promise.all([install(env), install(env)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(2);
    expect(await install(env)).toEqual({ ok: true, installed: false });
    expect(readFileSync(join(base, "runs"), "utf8")).toBe("run\n");
    expect(readFileSync(join(folder, "arguments"), "utf8")).toMatch(/^ci --omit=dev --ignore-scripts .*--prefix /);
    const recipe = readFileSync(join(recipeFolder(llamaRecipe), "package-lock.json"), "utf8");
    expect(readFileSync(join(folder, "package-lock.json"), "utf8")).toBe(recipe);
    expect(left()).toEqual(["gguf"]);
  });

  it("replaces an old version, and deletes interrupted installations", async () => {
    mkdirSync(join(base, "root/runtimes/gguf.new-1"), { recursive: true });
    mkdirSync(folder);
    writeFileSync(join(folder, "package-lock.json"), "{}");
    expect(await install(npmThat(FILLS))).toEqual({ ok: true, installed: true });
    expect(left()).toEqual(["gguf"]);
  });

  it.each([
    ["a full disk", "echo 'npm error code ENOSPC' >&2; exit 1", "The disk is full"],
    ["no network", "echo 'npm error code ENOTFOUND' >&2; exit 1", "The npm registry cannot be reached"],
    ["a registry without the package", "echo 'npm error code E404' >&2; exit 1", "does not have these packages"],
    ["a folder that cannot be written", "echo 'npm error code EACCES' >&2; exit 1", "A folder cannot be written"],
    ["anything else", "echo 'npm error the cat' >&2; exit 1", "It said:\nnpm error the cat"],
    [
      "a system it was not built for",
      FILLS.replace("async () => {}", 'async () => { throw new Error("NoBinaryFoundError"); }'),
      "node-llama-cpp does not run on this system",
    ],
  ])("reports %s, and leaves nothing behind", async (_, does, words) => {
    const answer = await install(npmThat(does));
    expect(answer).toMatchObject({ ok: false });
    expect((answer as Extract<InstallResult, { ok: false }>).problem).toContain(words);
    expect(left()).toEqual([]);
  });

  it("installs nothing when HARNESS_NO_INSTALL forbids it, and prints the manual steps", async () => {
    const answer = await install({ ...npmThat(FILLS), HARNESS_NO_INSTALL: "1" });
    expect(answer).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Install it by hand: copy package.json"),
    });
    expect(existsSync(join(base, "runs"))).toBe(false);
    expect(await install({ ...npmThat(FILLS), HARNESS_NO_INSTALL: "0" })).toEqual({ ok: true, installed: true });
  });

  it("explains where to get npm when it is missing", async () => {
    const env = { PATH: join(base, "bin"), HOME: base };
    expect(await install(env)).toMatchObject({ ok: false, problem: /^npm was not found/ });
  });

  it("stops when it is aborted", async () => {
    const stop = new AbortController();
    const env = npmThat(`mkfifo "$HOME/begun"; echo > "$HOME/begun"; exec sleep 60`);
    const answer = install(env, stop.signal);
    while (!existsSync(join(base, "begun"))) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, problem: /was stopped. Nothing was changed/ });
    expect(left()).toEqual([]);
  });
});

describe("the npm of installRuntime", () => {
  it("is the one that came with the Node in use, if any", () => {
    const cli = join(base, "lib/node_modules/npm/bin/npm-cli.js");
    mkdirSync(join(cli, ".."), { recursive: true });
    writeFileSync(cli, "");
    expect(findNpm({ PATH: "/usr/bin" }, execPath)).toEqual({ command: execPath, args: [cli] });
    rmSync(cli);
    expect(findNpm({ PATH: `relative:${join(base, "empty")}` }, execPath)).toBeUndefined();
  });

  it("gets the person's registry and proxies, none of our keys, and no settings of a surrounding npm", () => {
    const env = {
      PATH: "/usr/bin",
      HTTPS_PROXY: "http://proxy",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      npm_config_registry: "https://mirror.example",
      npm_config_local_prefix: "/elsewhere",
      npm_lifecycle_event: "test",
      OPENAI_API_KEY: "sk",
    };
    expect(npmEnvironment(env, "/opt/node/bin/node", "/cache")).toEqual({
      PATH: "/opt/node/bin:/usr/bin",
      HTTPS_PROXY: "http://proxy",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      npm_config_registry: "https://mirror.example",
      npm_config_cache: "/cache",
      HARNESS: "1",
    });
  });
});

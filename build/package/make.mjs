// Makes the npm package `harness` of the bundle in dist/: `npm run package [-- FOLDER]` puts harness-VERSION.tgz into the
// folder (dist/ without one). It installs:
//
//   bin/harness          the launcher (harness.sh)
//   dist/                the bundle, and what the start-up snapshot is made of: it fits one build of Node only, so it is made
//                        after a first run (later.sh)
//   client/              `harness/client`, with types
//   node_modules/        what is loaded from its own files: grammars, images, the proxy of the sandbox; cut to what is used
//   packages/            files that the program reads from their places in a checkout
//   THIRD-PARTY.txt      the licences of all that is in there
//
// It fetches nothing when it is installed but the library of the system's keyring, and does without that.
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { commonOptions, dist, leastMajor, root } from "../build-options.mjs";
import { snapshotSource } from "../snapshot/make.mjs";
import { bundled, copyBundled } from "./bundled.mjs";
import { copyTypes } from "./client-types.mjs";
import { licences } from "./licences.mjs";

const stage = join(root, ".build/package");
const readJson = async (path) => JSON.parse(await readFile(path, "utf8"));

const copied = [
  ["build/package/harness.sh", "bin/harness"],
  ["build/package/later.sh", "bin/later.sh"],
  ...["README.md", "CHANGELOG.md", "LICENSE", "bin/snapshot.sh", "bin/v8-flags.sh"],
  "packages/tools/src/process/command-start.sh",
  ...["runtime", "embedder-runtime"].flatMap((folder) =>
    ["package.json", "package-lock.json"].map((name) => `packages/gguf/${folder}/${name}`),
  ),
].map((each) => (typeof each === "string" ? [each, each] : each));

async function copy(from, to) {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

async function manifest() {
  const { name, version, description, license } = await readJson(join(root, "package.json"));
  const keyring = "@napi-rs/keyring";
  return {
    ...{ name, version, description, license, type: "module" },
    bin: { harness: "bin/harness" },
    exports: {
      "./client": { types: "./client/types/client/index.d.ts", default: "./client/index.mjs" },
      "./bin/harness": "./bin/harness",
      "./package.json": "./package.json",
    },
    engines: { node: `>=${leastMajor}` },
    os: ["!win32"],
    dependencies: Object.fromEntries(await Promise.all(bundled.map(async (each) => [each, await versionOf(each)]))),
    optionalDependencies: { [keyring]: await versionOf(keyring) },
    bundleDependencies: bundled,
  };
}

const versionOf = async (name) => (await readJson(join(root, "node_modules", name, "package.json"))).version;

async function client() {
  const { inject: _, ...options } = commonOptions;
  await build({
    ...options,
    entryPoints: [join(root, "packages/client/src/index.ts")],
    outfile: join(stage, "client/index.mjs"),
    write: true,
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
  await copyTypes(join(stage, "client/types"));
}

await rm(stage, { recursive: true, force: true });
for (const [from, to] of copied) await copy(join(root, from), join(stage, to));
await chmod(join(stage, "bin/harness"), 0o755);
for (const name of await readJson(join(dist, "built"))) await copy(join(dist, name), join(stage, "dist", name));
await writeFile(join(stage, "dist/run-snapshot.cjs"), await snapshotSource());
await copyBundled(stage);
await client();
await writeFile(join(stage, "THIRD-PARTY.txt"), await licences());
await writeFile(join(stage, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
const target = resolve(process.argv[2] ?? dist);
await mkdir(target, { recursive: true });
const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target], {
  cwd: stage,
  encoding: "utf8",
});
const [{ filename, size, unpackedSize }] = Object.values(JSON.parse(packed));
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
process.stdout.write(`${join(target, filename)}: ${megabytes(size)}, installed ${megabytes(unpackedSize)}\n`);

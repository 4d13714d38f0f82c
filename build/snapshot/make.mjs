// Makes the start-up snapshot of `harness run` (https://nodejs.org/api/cli.html#--build-snapshot): the heap of a Node that
// has loaded the command and practised it. A start from it does without loading and compiling, half of a short run.
//
//   run-snapshot.blob   the heap; of use to one build of Node only
//   run-snapshot.of     the file of that Node, as `ls -is` shows it; written last (bin/snapshot.sh compares)
//
// bin/harness starts from the bundle where there is no snapshot, so that a failure here costs time and nothing else.
import { execFileSync, spawn } from "node:child_process";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { asciiOnly, commonOptions, dist, leastMajor, lightWeb, replace, root } from "../build-options.mjs";
import { newestTriedMajor, runFlags, runPatientFlags, runTunables, startFlags } from "../v8-flags.mjs";

const pathsIn = (folder) => ({ blob: join(folder, "run-snapshot.blob"), stamp: join(folder, "run-snapshot.of") });

const MAX_BUILD_MS = 60_000;

const code = () =>
  build({
    ...commonOptions,
    logLevel: "silent",
    entryPoints: [join(root, "build/snapshot/entry.mjs")],
    format: "cjs",
    // A snapshot has no loader for files, so lazily loaded code is in here, too.
    supported: { "dynamic-import": false },
    alias: { ...commonOptions.alias, module: "./build/snapshot/node-module.mjs" },
    // The location of the checkout is known only at startup.
    banner: {
      js: `${lightWeb}const harnessFile = {}, patience = ${patienceOfNode}, tunables = ${JSON.stringify(runTunables)};`,
    },
    define: {
      "process.env.NODE_ENV": '"production"',
      "import.meta.dirname": "harnessFile.folder",
      "import.meta.filename": "harnessFile.path",
      "import.meta.url": "harnessFile.url",
    },
  });

/** With the flags that a run sets itself under a Node that knows them. */
const patienceOfNode = `Number.parseInt(process.versions.node, 10) <= ${newestTriedMajor} ? ${JSON.stringify(runPatientFlags)} : []`;

/** The program that a snapshot is made of. */
export async function snapshotSource() {
  const { outputFiles } = await code();
  return asciiOnly(outputFiles[0].text);
}

const patience = () => (Number.parseInt(process.versions.node, 10) <= newestTriedMajor ? runPatientFlags : []);

/** Called before a bundle is replaced: the snapshot of its code must not outlive it. */
export async function removeSnapshot() {
  const { blob, stamp } = pathsIn(dist);
  for (const path of [stamp, blob]) await rm(path, { force: true });
}

/** Returns why there is none; undefined if it was made. */
export async function makeSnapshot(folder = dist) {
  const { blob, stamp } = pathsIn(folder);
  if (Number.parseInt(process.versions.node, 10) < leastMajor) return `Node ${process.versions.node} is too old`;
  const draft = `${blob}.${process.pid}.tmp`;
  const source = join(folder, `run-snapshot.${process.pid}.cjs`);
  try {
    await replace(source, await snapshotSource());
    const args = [
      ...startFlags,
      ...runFlags,
      ...patience(),
      "--no-warnings",
      "--snapshot-blob",
      draft,
      "--build-snapshot",
      source,
    ];
    await run(args);
    await flush(draft);
    await rename(draft, blob);
    await replace(stamp, `${identity(process.execPath)}\n`);
    return undefined;
  } catch (error) {
    return String(error.stderr ?? error.message)
      .trim()
      .split("\n")[0];
  } finally {
    for (const path of [draft, source]) await rm(path, { force: true });
  }
}

/**
 * If it fails, rejects with the first line that it prints. stdin is empty, so that the practised run does not wait for
 * it.
 */
async function run(args) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: MAX_BUILD_MS,
    cwd: root,
  });
  const ended = new Promise((done, failed) => child.once("error", failed).once("close", done));
  const [code, said] = await Promise.all([ended, text(child.stderr)]);
  if (code !== 0) throw new Error(said.trim().split("\n")[0] || `Node ended with ${code ?? "a signal"}`);
}

async function flush(path) {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** Inode and blocks: a different file at the same path is a different Node. */
function identity(path) {
  return execFileSync("ls", ["-isL", path], { encoding: "utf8" }).trim().split(/\s+/, 2).join(" ");
}

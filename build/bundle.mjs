// Bundles the command and the server into dist/, so that a start loads a few files instead of some hundreds:
//
//   harness.mjs, server.mjs   what is started: a few lines that switch the compile cache on and load the rest
//   gguf-worker.mjs           the same for the process that runs a model file
//   search-indexer.mjs       the same for the process that indexes code
//   search-query.mjs         the same for the process that searches indexes
//   search-chunker.mjs       the same for the threads that cut files into chunks
//   sandbox-proxy.mjs        the same for the process that opens the way out of the sandbox
//   markdown-converter.mjs    the same for the process that reads web pages
//   image-converter.mjs       the same for the process that scales images down
//   web-page.js, web-page.css  the page of `harness web`, for browsers
//   *-HASH.mjs                the code, shared and split at each dynamic import
//   built                     its time is when this bundling began (bin/runtime.sh compares); it lists the files
//   cache/                    V8's compiled code, written by Node as the program runs
//   run-snapshot.*            the start-up snapshot of `harness run` (build/snapshot/make.mjs)
//
// Every file is written beside its place and renamed, `built` last: a bundling that is cut off changes nothing. A running
// harness may still load a chunk of the bundle that it was started from, so chunks stay for a while after they were replaced.
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { asciiOnly, commonOptions, dist, leastMajor, lightWeb, replace, root } from "./build-options.mjs";
import { makeSnapshot, removeSnapshot } from "./snapshot/make.mjs";
import { newestTriedMajor, patientFlags } from "./v8-flags.mjs";

const marker = join(dist, "built");
const dayMs = 86_400_000;

/** The programs, and the module that each runs. */
const entries = {
  harness: "packages/cli/src/main.ts",
  server: "packages/server/src/main.ts",
  "gguf-worker": "packages/gguf/src/worker/main.ts",
  "search-indexer": "packages/search/src/indexing/process/main.ts",
  "search-query": "packages/search/src/query/process/main.ts",
  "search-chunker": "packages/search/src/chunks/chunk-worker.ts",
  "sandbox-proxy": "packages/tools/src/sandbox/proxy/main.ts",
  "markdown-converter": "packages/tools/src/web/markdown-converter.ts",
  "image-converter": "packages/tools/src/images/image-converter.ts",
};

const bundle = () =>
  build({
    ...commonOptions,
    entryPoints: Object.entries(entries).map(([name, module]) => ({ in: module, out: `${name}-main` })),
    outdir: dist,
    // One flat folder: code finds server.mjs next to its own chunk, whichever that is.
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    splitting: true,
    metafile: true,
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
    // CommonJS packages call `require` for Node's own modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });

/** The page of `harness web`. Code that it shares with Node finds replacements for Node's functions. */
const bundlePage = () =>
  build({
    absWorkingDir: root,
    entryPoints: [
      { in: "packages/web/page/main.ts", out: "web-page" },
      { in: "packages/web/page/page.css", out: "web-page" },
    ],
    outdir: dist,
    write: false,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2024",
    charset: "ascii",
    legalComments: "none",
    alias: { "node:crypto": join(root, "packages/web/page/link/node-globals.ts") },
    logLevel: "warning",
  });

const commonBuiltins = [
  "child_process",
  "console",
  "crypto",
  "fs",
  "fs/promises",
  "net",
  "os",
  "util",
  "worker_threads",
];

/**
 * Node's modules that every start loads. V8 accepts the code that Node has compiled for them only before its options
 * are changed: this makes a start 20 ms faster.
 */
const builtins = {
  harness: commonBuiltins,
  server: [...commonBuiltins, "readline", "readline/promises", "timers/promises", "zlib"],
};

const earlyBuiltins = (names) => `  await Promise.all(${JSON.stringify(names)}.map((name) => import("node:" + name)));
`;

const patientStart = (
  early,
) => `if (major <= ${newestTriedMajor} && !/^(-V|(--)?version)$/.test(process.argv[2] ?? "")) {
${early}  const v8 = process.getBuiltinModule("node:v8");
  for (const flag of ${JSON.stringify(patientFlags)}) v8.setFlagsFromString(flag);
}
`;

/**
 * Startup garbage is collected once the program is quiet: about a tenth of the memory of a waiting window. The option
 * that lets code request it is set only for that moment: from the start, it would cost what `builtins` saves.
 */
const quietStart = `setTimeout(() => {
  const v8 = process.getBuiltinModule("node:v8");
  v8.setFlagsFromString("--expose-gc");
  const gc = process.getBuiltinModule("node:vm").runInNewContext("gc");
  v8.setFlagsFromString("--no-expose-gc");
  gc({ type: "major", flavor: "last-resort" });
}, 1500).unref();
`;

/**
 * Some take the web classes they need from build/web-classes.mjs. A converter works hard at once, so it does not wait.
 */
const startOf = (name) => ({ early: builtins[name], isPatient: !name.endsWith("-converter") });

/**
 * The compile cache contains only what is loaded after it is switched on, hence a file before the code. The Node that
 * was found once is not checked again (bin/runtime.sh), but it may have been replaced in place by an older one.
 */
const starter = (main, { early, isPatient }) => `import * as module from "node:module";
const major = Number.parseInt(process.versions.node, 10);
if (major < ${leastMajor}) {
  const link = new URL("../.runtime/bin/node", import.meta.url);
  try { process.getBuiltinModule("node:fs").unlinkSync(link); } catch { /* There is none: this Node came from elsewhere. */ }
  process.stderr.write(\`harness: \${process.execPath} is Node \${process.versions.node} now, but harness needs ${leastMajor} or newer. Start harness again; it will look for another Node.\\n\`);
  process.exit(1);
}
${isPatient ? patientStart(early ? earlyBuiltins(early) : "") : ""}${early ? lightWeb : ""}module.enableCompileCache?.(import.meta.dirname + "/cache");
// Node would open a debugger, to which every program of this machine can connect.
process.on("SIGUSR1", () => {});
${early ? quietStart : ""}await import("./${main}");
`;

const filesOf = (result) => {
  const files = new Map(result.outputFiles.map((file) => [basename(file.path), Buffer.from(asciiOnly(file.text))]));
  for (const [output, { entryPoint }] of Object.entries(result.metafile.outputs)) {
    const entry = Object.entries(entries).find(([, module]) => module === entryPoint);
    if (entry) files.set(`${entry[0]}.mjs`, starter(basename(output), startOf(entry[0])));
  }
  return files;
};

const listed = async () => {
  try {
    return JSON.parse(await readFile(marker, "utf8"));
  } catch {
    return [];
  }
};

const sweep = async (kept) => {
  for (const name of await readdir(dist)) {
    if (kept.has(name) || !/\.(mjs|cjs|tmp)$/.test(name)) continue;
    const path = join(dist, name);
    if (Date.now() - (await stat(path)).mtimeMs > dayMs) await rm(path, { force: true });
  }
  await rm(join(dist, "cache"), { recursive: true, force: true });
};

/** The file system's own current time: it may differ from this machine's on a network drive. */
const beginning = async () => {
  const probe = join(dist, `began.${process.pid}.tmp`);
  await writeFile(probe, "");
  const { mtime } = await stat(probe);
  await rm(probe);
  return mtime;
};

const startedMs = performance.now();
try {
  await mkdir(dist, { recursive: true });
  const began = await beginning();
  const page = (await bundlePage()).outputFiles.map(({ path, contents }) => [basename(path), contents]);
  const files = new Map([...page, ...filesOf(await bundle())]);
  const before = await listed();
  await removeSnapshot();
  // The starters come last in the map: they name the others.
  for (const [name, contents] of files) await replace(join(dist, name), contents);
  await replace(marker, JSON.stringify([...files.keys()]), began);
  await sweep(new Set([...files.keys(), ...before]));
  const bytes = [...files.values()].reduce((sum, contents) => sum + contents.length, 0);
  const seconds = (performance.now() - startedMs) / 1000;
  process.stderr.write(`harness: bundled ${Math.ceil(bytes / 1000)} kB into dist in ${seconds.toFixed(1)} s.\n`);
  const problem = await makeSnapshot();
  if (problem) process.stderr.write(`harness: no start-up snapshot could be made, so runs start slower: ${problem}\n`);
} catch (error) {
  // esbuild has printed errors in sources with their location.
  if (!error.errors) process.stderr.write(`harness: the bundle cannot be written to ${dist}: ${error.message}\n`);
  process.exitCode = 1;
}

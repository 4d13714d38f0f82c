// Runs while the start-up snapshot is made: loads `harness run`, practises it, so that its code is compiled, and leaves
// the function behind with which a start from the snapshot begins.
import { randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { queryObjects, setFlagsFromString, startupSnapshot } from "node:v8";
import { heedSourceLook } from "../../packages/cli/src/process/source-look.ts";
import { runCommandLine } from "../../packages/cli/src/run-command.ts";
import { composeServer } from "../../packages/server/src/compose.ts";
import { serveStdio } from "../../packages/server/src/serve-stdio.ts";
import { forceExit } from "../../packages/server/src/system/force-exit.ts";
import { practise } from "./practice.mjs";

/**
 * bin/harness starts no window from here, and no server, which would hold 17 MB more for hours: the server is for its
 * tests.
 */
const unavailable = async () => {
  throw new Error("This part of harness is not in the start-up snapshot.");
};
const parts = {
  composeServer: async (options) => composeServer(options),
  serve: { stdio: serveStdio, listening: unavailable, web: unavailable },
  runWindow: unavailable,
};

/** Node creates these ids 128 at a time: those left by the practice run would be the same in every run. */
function forgetMadeIds() {
  for (let count = 0; count < 128; count += 1) randomUUID();
}

/** Removes a variable that bin/harness sets only for this process. */
function leaveEnvironmentAsItWas() {
  if (process.env.GLIBC_TUNABLES === tunables) delete process.env.GLIBC_TUNABLES;
}

/**
 * As in the starter of the bundle, startup garbage is collected once the program is quiet. Code of a longer run is
 * compiled.
 */
function afterStart() {
  if (patience.length > 0) setFlagsFromString("--sparkplug");
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
}

startupSnapshot.setDeserializeMainFunction(async () => {
  for (const flag of patience) setFlagsFromString(flag);
  const file = resolve(process.argv[1]);
  // make.mjs replaces `import.meta` with these.
  Object.assign(harnessFile, { path: file, folder: dirname(file), url: pathToFileURL(file).href });
  // As in the starter of the bundle, a debugger is not opened.
  process.on("SIGUSR1", () => undefined);
  forgetMadeIds();
  leaveEnvironmentAsItWas();
  heedSourceLook(dirname(file));
  setTimeout(afterStart, 1500).unref();
  await forceExit(await runCommandLine(process.argv.slice(2), parts));
});

class Nothing {}

/** V8 makes no snapshot while finalisers are pending, so those of the practice run now. */
async function settle() {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((done) => setTimeout(done, 20));
    // Querying all objects collects garbage first.
    queryObjects(Nothing, { format: "count" });
  }
}

const rehearse = () => practise((args) => runCommandLine(args, parts));

/**
 * Code that ran only to load the modules would be a sixth of the snapshot. Functions that are needed again are compiled
 * again.
 */
async function forgetCode() {
  setFlagsFromString("--stress-flush-code");
  await settle();
  setFlagsFromString("--no-stress-flush-code");
}

rehearse()
  .then(forgetCode)
  .then(rehearse)
  .then(settle)
  .catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });

// The process that the window starts: a server that uses the protocol on stdin and stdout.
import { VERSION } from "@harness/protocol/version";
import { serveStdio } from "./serve-stdio.ts";
import { forceExit } from "./system/force-exit.ts";

/** `--trust=HASH`: the hash of the working folder's content that the user trusts while this server runs. */
const trustedHash = process.argv.find((arg) => arg.startsWith("--trust="))?.slice("--trust=".length);

await forceExit(await serveStdio({ version: VERSION, trustedHash }));

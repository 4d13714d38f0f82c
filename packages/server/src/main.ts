// The server's process: what the window starts. Speaks the protocol on stdin and stdout.
import { VERSION } from "@harness/protocol/version";
import { exitForSure } from "./exit-for-sure.ts";
import { serveStdio } from "./serve-stdio.ts";

await exitForSure(await serveStdio({ version: VERSION }));

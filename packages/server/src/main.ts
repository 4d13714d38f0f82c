// The server's process: what the window starts. Speaks the protocol on stdin and stdout.
import { VERSION } from "@harness/protocol/version";
import { serveStdio } from "./serve-stdio.ts";

process.exit(await serveStdio({ version: VERSION }));

// The command `harness`. Loads only what the subcommand needs: `--version` must cost no more than Node itself.
import { VERSION } from "@harness/protocol/version";

const args = process.argv.slice(2);

if (args.length === 1 && ["--version", "-V", "version"].includes(args[0] ?? "")) {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 141 : 1));
  process.stdout.write(`harness ${VERSION}\n`);
} else {
  const { runCommand } = await import("./run-command.ts");
  // The composition root and the window are known here alone; everything below gets them handed in.
  const code = await runCommand(args, {
    composeServer: async (options) => (await import("@harness/server")).composeServer(options),
    serveStdio: async (options) => (await import("@harness/server/stdio")).serveStdio(options),
    runWindow: async (options) => (await import("@harness/tui")).runWindow(options),
  });
  // Open sockets and timers of libraries must not keep a finished run alive, nor may a read that never ends.
  const { forceExit } = await import("@harness/server/stdio");
  await forceExit(code);
}

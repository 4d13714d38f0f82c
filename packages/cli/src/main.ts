// The command `harness`. Loads only what the subcommand needs: `--version` must cost no more than Node itself.
import { VERSION } from "@harness/protocol/version";
import { heedSourceLook } from "./process/source-look.ts";

heedSourceLook(import.meta.dirname);
const args = process.argv.slice(2);

if (args.length === 1 && ["--version", "-V"].includes(args[0] ?? "")) {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 141 : 1));
  process.stdout.write(`harness ${VERSION}\n`);
} else {
  const { runCommandLine } = await import("./run-command.ts");
  // Only this file knows the composition root and the window; all others get them as parameters.
  const code = await runCommandLine(args, {
    mayBeProgram: async (word, cwd) => (await import("@harness/server/words")).mayBeProgram(word, cwd, process.env),
    windowForm: async () => (await import("@harness/server/form")).windowForm(process.env),
    composeServer: async (options) => (await import("@harness/server")).composeServer(options),
    async serveAcp(options) {
      const { reserveStdout } = await import("@harness/server/stdio");
      const output = reserveStdout();
      const { serveAcp } = await import("@harness/acp");
      return serveAcp({ ...options, input: process.stdin, output });
    },
    serve: {
      stdio: async (options) => (await import("@harness/server/stdio")).serveStdio(options),
      web: async (options) => (await import("@harness/web")).serveWeb(options),
      listening: async (options) => (await import("@harness/server/listening")).serveListening(options),
    },
    storeService: async (action, options) => (await import("@harness/server/services")).storeService(action, options),
    runWindow: async (options) => (await import("@harness/tui")).runWindow(options),
  });
  const { outputEnd } = await import("./process/output-end.ts");
  await outputEnd();
  // Open sockets and timers of libraries, or a read that never ends, must not keep a finished run alive.
  const { forceExit } = await import("@harness/server/stdio");
  await forceExit(code);
}

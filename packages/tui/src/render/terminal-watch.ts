import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Reads the terminal's state, one per line; the input ends when the process that writes it ends. */
const SCRIPT = 'while read -r line; do state=$line; done; if [ "$state" = set ]; then printf %s "$1"; fi';

/** Called whenever the modes of the terminal are set and undone. */
export type TerminalWatch = { set(): void; undone(): void };

/**
 * A shell that waits for the end of this process and writes `restore` to the terminal if the modes were not undone:
 * after a SIGKILL nothing else can. It runs in a separate process group, and reads nothing from the terminal.
 */
export function watchTerminal({ fd }: { readonly fd: number }, restore: string): TerminalWatch {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "harness-terminal-watch", restore], {
    detached: true,
    cwd: "/",
    env: {},
    stdio: ["pipe", fd, "ignore"],
  });
  // Without a shell the only loss is that the terminal is not restored after a SIGKILL.
  shell.on("error", () => undefined);
  const stdin = shell.stdin as Socket;
  stdin.on("error", () => undefined);
  shell.unref();
  stdin.unref();
  // A pipe accepts this few bytes in one write, even while this process exits.
  return { set: () => void stdin.write("set\n"), undone: () => void stdin.write("undone\n") };
}

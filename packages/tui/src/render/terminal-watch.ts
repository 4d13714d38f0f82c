import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Reads in which state the terminal is, a line each; the end of the lines is the end of the process that wrote them. */
const SCRIPT = 'while read -r line; do state=$line; done; if [ "$state" = set ]; then printf %s "$1"; fi';

/** Called whenever the modes of the terminal are set and undone. */
export type TerminalWatch = { set(): void; undone(): void };

/**
 * A shell that waits for the end of this process and writes `restore` to the terminal when the modes were not undone:
 * after a SIGKILL nobody else can. It has a process group of its own, and reads nothing from the terminal.
 */
export function watchTerminal({ fd }: { readonly fd: number }, restore: string): TerminalWatch {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "harness-terminal-watch", restore], {
    detached: true,
    cwd: "/",
    env: {},
    stdio: ["pipe", fd, "ignore"],
  });
  // Without a shell the terminal is only not restored after a SIGKILL.
  shell.on("error", () => undefined);
  const stdin = shell.stdin as Socket;
  stdin.on("error", () => undefined);
  shell.unref();
  stdin.unref();
  // A pipe takes so few bytes at once, also while this process exits.
  return { set: () => void stdin.write("set\n"), undone: () => void stdin.write("undone\n") };
}

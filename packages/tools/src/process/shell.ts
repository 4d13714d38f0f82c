import { access, constants } from "node:fs/promises";
import { CALL_SESSION } from "./harness-mark.ts";

/** The absolute path of a program, or undefined. Relative folders of the path are passed over. */
export async function findProgram(name: string, path: string, outside?: string): Promise<string | undefined> {
  for (const folder of path.split(":")) {
    if (!folder.startsWith("/") || (outside && `${folder}/`.startsWith(`${outside}/`))) continue;
    const file = `${folder.replace(/\/$/, "")}/${name}`;
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** The shell that is started is the first of its session: what stays in it is known by this. */
const NAMED = `export ${CALL_SESSION}=$$; `;

/** One stream for both outputs, so that their order is the order of writing. The shell keeps the process id. */
const JOINED = `${NAMED}exec 2>&1; exec "$0" "$@"`;

/**
 * Node gives its children sockets, and Linux cannot open a socket by name: `echo x > /dev/stderr` would fail. A `cat`
 * in between makes it a pipe. It ignores SIGTERM, so that what was printed last still comes through.
 */
const PIPED = `${NAMED}exec 3> >(trap "" TERM INT HUP; exec cat); exec "$0" "$@" >&3 2>&1 3>&-`;

export type ShellCall = { file: string; args: string[]; helper?: string };

const bashOf = new Map<string, string | undefined>();

async function findBash(path: string): Promise<string | undefined> {
  if (!bashOf.has(path)) bashOf.set(path, await findProgram("bash", `${path}:/bin:/usr/bin:/usr/local/bin`));
  return bashOf.get(path);
}

/** How a command line is started: by bash where there is one, else by sh; without start-up files. */
export async function shellCall(command: string, path: string): Promise<ShellCall> {
  const bash = await findBash(path);
  if (!bash) return { file: "/bin/sh", args: ["-c", JOINED, "/bin/sh", "-c", command, "sh"] };
  // The last word is the name that bash puts before its error messages.
  const plain = ["--norc", "--noprofile", "-c", command, "bash"];
  if (!/\/dev\/(std(out|err)|fd)|\/proc\/(self|\$)/.test(command)) {
    return { file: "/bin/sh", args: ["-c", JOINED, bash, ...plain] };
  }
  return { file: bash, args: ["--norc", "--noprofile", "-c", PIPED, bash, ...plain], helper: "cat" };
}

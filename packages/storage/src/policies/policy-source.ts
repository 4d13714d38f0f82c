import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { diskProblem, errorCode } from "@harness/host";
import { doubledName } from "../settings/json-text.ts";

/** A policy file as it lies there: its text, or why it cannot be used; neither: there is none. */
export type PolicySource = { text?: string; problem?: string };

const LARGEST_BYTES = 1024 * 1024;
const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;

/** `own`: a file of the person, which nobody else may write. Never throws. */
export function readPolicySource(path: string, { own }: { own: boolean }): PolicySource {
  try {
    // A named pipe in a cloned folder must not hang us.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      const problem = oddity(path, stat) ?? (own ? ownership(path, stat) : undefined);
      return problem === undefined ? textIn(path, readFileSync(fd)) : { problem };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
    if (isMissing && !isThere(path)) return {};
    return { problem: diskProblem(error, "read the policies", path) };
  }
}

/** What could lose a rule on the way is no text of rules: a sign that is none, or a name whose first value is passed over. */
function textIn(path: string, bytes: Buffer): PolicySource {
  if (!isUtf8(bytes)) return { problem: `${path} holds bytes that are not UTF-8. Save it as UTF-8.` };
  const text = bytes.toString("utf8");
  const twice = doubledName(text);
  if (twice === undefined) return { text };
  return { problem: `${path} has ${twice} twice in one place, and only one of them counts. Take one out.` };
}

/** Changes whenever the file is written, replaced, made, removed, or given to others. */
export function stampOf(path: string): string {
  try {
    const own = lstatSync(path, { throwIfNoEntry: false, bigint: true });
    if (!own) return "";
    const stat = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false, bigint: true }) : own;
    if (!stat) return "dangling";
    return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode} ${stat.uid}`;
  } catch (error) {
    return errorCode(error) ?? "unknown";
  }
}

/** When it was last changed in any way, in ms since 1970; 0 where there is none. */
export function changedAt(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  } catch {
    return 0;
  }
}

/** A link to nothing is there: rules that it should lead to are missed. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function oddity(path: string, stat: Stats): string | undefined {
  if (!stat.isFile()) return `${path} is not a regular file. Move it away.`;
  return stat.size > LARGEST_BYTES ? `${path} is larger than 1 MB. Take rules out of it.` : undefined;
}

/** Why a file of the person could say what others want, as a sentence. */
export function ownership(path: string, { mode, uid, gid }: Stats): string | undefined {
  const user = process.getuid?.();
  // Where there are no users, there are no modes.
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0)
    return `${path} belongs to another user, who could allow anything. Make it your own with chown.`;
  // Many systems give each user a group of one, and then files that the group may write.
  const group = gid === process.getgid?.() ? 0 : GROUP_WRITE;
  if ((mode & (OTHERS_WRITE | group)) === 0) return undefined;
  return `${path} can be written by other users, who could allow anything. Look it through, then close it: chmod go-w ${path}`;
}

import { amount } from "@harness/protocol";
import type { CommandEnd } from "../process/run-command.ts";
import type { HostsEnd } from "./containment.ts";

/** Messages of programs that may not write, or cannot reach a host. */
const LOOKS_LIKE_IT =
  /read-only file system|EROFS|permission denied|EACCES|Device or resource busy|EBUSY|Operation not permitted|EPERM|Network is unreachable|ENETUNREACH|Could not resolve host|Name or service not known|Temporary failure in name resolution|EAI_AGAIN|ENOTFOUND|CONNECT tunnel failed|network allowlist|unshare failed/i;
const SHOWN = 5;

/** `quarantined`: the new paths of files that must not stay where the command created them. */
export type ContainedEnd = { hosts: HostsEnd; quarantined: readonly string[] };

/** Notes for the model about a command that ran in the sandbox. */
export function sandboxNotes(
  output: string,
  end: CommandEnd,
  { hosts: { refused, lost }, quarantined }: ContainedEnd,
  { allowedDomains }: { readonly allowedDomains: readonly string[] },
) {
  const notes: string[] = [];
  const failed = end.reason === "exited" && end.exitCode !== 0;
  if (refused.length > 0) notes.push(`[the sandbox did not let it reach ${countedList(refused, "host")}]`);
  if (refused.length > 0 || (failed && LOOKS_LIKE_IT.test(output))) {
    const reached = allowedDomains.length > 0 ? `only ${countedList(allowedDomains, "host")}` : "no network";
    notes.push(
      "[This ran in the sandbox, which may be why it failed: it changes only the workspace (not .git/hooks, " +
        `.git/config, .harness and the like) and /tmp, does not read files that may hold secrets, and reaches ${reached}. If the command needs more, run it once more ` +
        "with outside_sandbox: true; the person is asked.]",
    );
  }
  if (lost !== undefined)
    notes.push(`[it could no longer reach the allowed hosts: ${lost}. Another try opens a new connection.]`);
  if (quarantined.length > 0) {
    notes.push(
      "[moved aside, as programs run code because of it, and no command in the sandbox may make it: " +
        `${countedList(quarantined, "file")}. If it is wanted, make it with outside_sandbox: true; the person is asked.]`,
    );
  }
  return notes;
}

export function notContained(why: string | undefined): string {
  return (
    `The command was not run: it must run in the sandbox (setting sandbox = on), and that does not work: ` +
    `${why ?? "it was not tested"}. Tell the person; with sandbox = auto, commands run without it.`
  );
}

function countedList(all: readonly string[], noun: string): string {
  const more = all.length - SHOWN;
  return all.slice(0, SHOWN).join(", ") + (more > 0 ? ` and ${amount(more, `more ${noun}`)}` : "");
}

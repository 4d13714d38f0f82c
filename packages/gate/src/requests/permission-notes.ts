import type { PermissionNote } from "@harness/protocol";
import type { CommandView } from "../command/command-view.ts";
import { lookAlikePaths, unseenCharacters } from "../findings/look-alikes.ts";
import { guardedWrites } from "../guarded-writes.ts";
import { isWithin, relativeTo } from "../places/path-place.ts";
import { isSecret } from "../places/secret-files.ts";
import type { SandboxView } from "../ports/sandbox.ts";
import { changesBeyondFiles } from "../programs/outer-effects.ts";
import type { ResolvedEffect } from "../resolved-effect.ts";

type Surroundings = {
  sandbox: SandboxView | undefined;
  /** True if checkpoints are saved, so that changes can be undone. */
  isUndoable: boolean;
  /** Real folders that count as the workspace. */
  roots: readonly string[];
};

/** People still read this many file names one by one. */
const MAX_FILES = 8;

/** Notes for the user next to the reason: findings in a command, where it runs, whether it can be undone. */
export function permissionNotes(
  effects: readonly ResolvedEffect[],
  { sandbox, isUndoable, roots }: Surroundings,
): PermissionNote[] {
  const runs = effects.flatMap(({ effect }) => (effect.kind === "run" ? [effect] : []));
  const found = effects.flatMap(({ command }) => command?.findings.notes ?? []);
  const paths = effects.flatMap(({ effect, realPath = "" }) => ("path" in effect ? [effect.path, realPath] : []));
  const notes = [
    ...found,
    ...manyFilesNote(effects, roots),
    ...unseenCharacters(paths.join("")),
    ...lookAlikePaths(paths),
  ];
  if (runs.length > 0 && sandbox) notes.push(...sandboxNote(sandbox, runs));
  const undo = isUndoable ? undoNote(effects, roots) : undefined;
  if (undo !== undefined) notes.push({ kind: "undo", text: undo });
  return notes;
}

/** Among many files, names each one that every mode asks about. */
function manyFilesNote(effects: readonly ResolvedEffect[], roots: readonly string[]): PermissionNote[] {
  const writes = effects.filter(({ effect }) => effect.kind === "write");
  if (writes.length <= MAX_FILES) return [];
  const guarded = guardedWrites("", writes, { roots, rules: [] }).map(
    ({ path }) => relativeTo(roots[0] ?? "/", path) ?? path,
  );
  if (guarded.length === 0) return [];
  return [
    {
      kind: "warning",
      text: `of ${writes.length} files, these are protected, secret or outside: ${guarded.join(", ")}`,
    },
  ];
}

/** Said only if something is at stake that /undo does not revert. */
function undoNote(effects: readonly ResolvedEffect[], roots: readonly string[]): string | undefined {
  const writes = effects.flatMap(({ effect, realPath }) => (effect.kind === "write" ? [realPath ?? effect.path] : []));
  const isOutside = (path: string) => !roots.some((root) => isWithin(path, root));
  if (writes.some(isOutside)) return "/undo cannot revert this: the file is outside the workspace.";
  if (writes.some(isNeverKept)) return "/undo cannot revert this: the file belongs to git, or may hold secrets.";
  const leavesFolder = effects.some(({ command }) => command !== undefined && hasOuterEffect(command, roots));
  return leavesFolder ? "/undo restores files in this folder, but nothing else that it does." : undefined;
}

/** True if a command is known to change something outside: a file elsewhere, the system, or another machine. */
function hasOuterEffect(
  { onlyReads, writePaths, openWrites, findings }: CommandView,
  roots: readonly string[],
): boolean {
  if (onlyReads || findings.looks) return false;
  const isOutside = (path: string) => !roots.some((root) => isWithin(path, root));
  if ([...writePaths, ...openWrites].some(isOutside)) return true;
  return findings.hosts.some((host) => !isLoopback(host)) || findings.views.some(changesBeyondFiles);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){1,3}|\[?::1\]?|[^.]+\.localhost)(?::\d+)?$/i.test(host);
}

/** Checkpoints contain neither secrets nor git's own files. */
function isNeverKept(path: string): boolean {
  return isSecret(path) || path.split("/").some((each) => each.toLowerCase() === ".git");
}

function sandboxNote({ wanted, active, why }: SandboxView, runs: readonly { outside?: boolean }[]): PermissionNote[] {
  if (wanted === "off") return [];
  if (runs.some(({ outside }) => outside === true))
    return [{ kind: "sandbox", text: "It would run outside the sandbox, with all your rights." }];
  if (active) return [{ kind: "sandbox", text: "It runs in the sandbox." }];
  return [{ kind: "sandbox", text: `It runs without a sandbox${why === undefined ? "" : `: ${why}`}` }];
}

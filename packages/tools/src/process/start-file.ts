import { basename, join } from "node:path";
import { isBelow } from "../files/absolute-path.ts";
import { realPathIfThere, realPathNow } from "../files/judged-path.ts";
import type { OwnProcess } from "./own-process.ts";

/** Variables by which bash starts in another way, and may not read the file. */
const STARTS_OTHERWISE = /^(?:BASH|SHELLOPTS$|POSIXLY_CORRECT$)/;

/** What bash would expand in the value of BASH_ENV: parameters and commands. */
const IS_EXPANDED = /[$`\\]/;

/**
 * The file that the bash of a command reads first, which saves another shell before it. Undefined where it lies in the
 * workspace (`roots`): what a model has written there must not run beside a command that was allowed. `place`: where it
 * lies.
 */
export function startFileOutside(roots: readonly string[], place = placeOfStartFile()): string | undefined {
  const file = realPathIfThere(place);
  if (file === undefined || IS_EXPANDED.test(file)) return undefined;
  if (roots.some((root) => isBelow(file, root) || isBelow(file, realPathNow(root)))) return undefined;
  return file;
}

function placeOfStartFile(): string {
  const isSource = import.meta.filename.endsWith(".ts");
  return join(import.meta.dirname, isSource ? "" : "../packages/tools/src/process", "command-start.sh");
}

/** Whether this program reads the file that BASH_ENV names: other shells that are called `bash` do not. */
export function readsStartFile(
  bash: string,
  env: Readonly<Record<string, string>>,
  { isItsUsers }: OwnProcess,
): boolean {
  if (!isItsUsers || Object.keys(env).some((name) => STARTS_OTHERWISE.test(name))) return false;
  return /^bash(?:-\d[\d.]*)?$/.test(basename(realPathIfThere(bash) ?? ""));
}

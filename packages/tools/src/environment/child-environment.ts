import { pathOutside } from "@harness/gate";
import { DEFAULT_PATH, isPlaceVariable, isSecretVariable, NETWORK, passedEnvironment } from "@harness/host";
import { realPathNow } from "../files/judged-path.ts";
import type { CallMark } from "../process/process-mark.ts";
import { noEditor } from "./no-editor.ts";

const ALSO_PASSED = ["COLORTERM", "NO_COLOR", "CI", ...NETWORK];

/** Folders in which programs are not searched for, and the target of a folder in the search path. */
type Outside = { roots: readonly string[]; real(path: string): string };

/** Set for every command: programs must not page, prompt on a terminal, or expect the user. */
const FIXED = {
  ...{ HARNESS: "1", TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" },
  ...noEditor,
};

/**
 * The environment of a command that the user typed: their own with everything that the folder adds, and the mark that
 * identifies its processes.
 */
export function personEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string | null>>,
  mark: CallMark,
): Record<string, string> {
  const env = Object.entries({ ...ours, ...extra }).flatMap(([name, value]) =>
    value === undefined || value === null || name === "VISUAL" ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(env), ...FIXED, ...mark };
}

/**
 * The environment of a command, with the mark that identifies its processes. It is an allow-list, so that no key
 * reaches a program that the model chose. `extra` was listed by name by the user, or printed by their program (null:
 * unset); secrets are removed from it as well, except for the location of an agent. Programs of the workspace (`roots`)
 * are not found by name: a call approved as `git` must not run a file that the model wrote.
 */
export function childEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string | null>>,
  mark: CallMark,
  { roots, real }: Outside = { roots: [], real: realPathNow },
): Record<string, string> {
  const env = passedEnvironment(ours, ALSO_PASSED);
  for (const [name, value] of Object.entries(extra)) {
    if (value === null) delete env[name];
    else env[name] = value;
  }
  for (const [name, value] of Object.entries(env)) {
    const isLetIn = name in extra && isPlaceVariable(name, value);
    if (!isLetIn && isSecretVariable(name, value)) delete env[name];
  }
  // An empty or relative entry would run programs from a command's current folder.
  env.PATH = pathOutside(env.PATH ?? "", roots, real) || DEFAULT_PATH;
  return { ...env, ...FIXED, ...mark };
}

import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isWithin, pathOutside } from "@harness/gate";
import { realPathNow } from "../files/judged-path.ts";

/** Variables that make a program load code, run another program or read its settings from elsewhere. */
const removed =
  /^(?:GIT_.*|BASH_ENV|ENV|BASH_FUNC_.*|BASH_XTRACEFD|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|POSIXLY_CORRECT|LD_.*|DYLD_.*|LESSOPEN|LESSCLOSE|GREP_OPTIONS|RIPGREP_CONFIG_PATH|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|AWKPATH|AWKLIBPATH|GAWK_.*|MAGIC|TZDIR|LOCPATH|NLSPATH|GCONV_PATH|DEBUGINFOD_.*|TAR_OPTIONS|GZIP|BZIP2?|XZ_OPT|XZ_DEFAULTS|UNZIP|UNZIPOPT|ZIPINFO|BC_ENV_ARGS|TERMINFO|TERMINFO_DIRS)$/;

/** Without these, asking for a version makes corepack and rustup download the program. */
const fetchesNothing = { COREPACK_ENABLE_NETWORK: "0", RUSTUP_AUTO_INSTALL: "0" };

/** The environment without them; programs are only searched for outside the roots. */
export function quietEnvironment(
  env: Readonly<Record<string, string>>,
  roots: readonly string[],
  real: (path: string) => string,
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !removed.test(name));
  const path = pathOutside(env.PATH ?? "", roots, real) || "/usr/local/bin:/usr/bin:/bin";
  const quiet = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", ...fetchesNothing };
  return { ...Object.fromEntries(kept), PATH: path, ...quiet };
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(path, root));
}

/**
 * The absolute path of the program that would run, without following links. `inside`: it only exists in the roots,
 * where the model may have written it. Undefined if it does not exist.
 */
export function programOutside(
  name: string,
  path: string,
  roots: readonly string[],
): { file: string; realFile: string } | "inside" | undefined {
  let isThere = false;
  for (const folder of path.split(":")) {
    if (!isAbsolute(folder)) continue;
    const file = `${folder.replace(/\/$/, "")}/${name}`;
    if (!isProgram(file)) continue;
    const realFile = realPathNow(file);
    if (!isInside(file, roots) && !isInside(realFile, roots)) return { file, realFile };
    isThere = true;
  }
  return isThere ? "inside" : undefined;
}

/** Synchronous, because a thread for each folder would take ten times as long. */
function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

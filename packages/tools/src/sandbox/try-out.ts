import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Container } from "./containment.ts";
import type { PrivateFolder } from "./private-folder.ts";
import { startFailure } from "./sandbox-programs.ts";

const DEADLINE_MS = 10_000;
const nothingAllowed = {
  writable: [],
  fixed: [],
  vacant: [],
  watched: [],
  links: [],
  hiddenFolders: [],
  hiddenFiles: [],
};

/**
 * Runs a test command that prints a text and tries to write outside. Returns why commands cannot be contained;
 * undefined if they can. Installed programs prove nothing: a system may keep them from working.
 */
export async function tryOut(container: Container, own: PrivateFolder): Promise<string | undefined> {
  const outside = join(own.path, "outside");
  const argv = ["/bin/sh", "-c", '(: > "$0") 2>/dev/null; echo contained', outside];
  const contained = await container.contain({ argv, cwd: "/", policy: nothingAllowed, own });
  if ("problem" in contained) return contained.problem;
  const [file = "", ...args] = contained.argv;
  const env = { PATH: "/usr/bin:/bin", ...contained.env };
  const output = await new Promise<{ stdout: string; stderr: string; late: boolean }>((resolve) => {
    execFile(file, args, { env, timeout: DEADLINE_MS, killSignal: "SIGKILL" }, (error, stdout, stderr) =>
      resolve({ stdout, stderr: stderr || (error ? "" : stderr), late: error?.killed === true }),
    );
  });
  if (output.late) return "it does not answer";
  if (output.stdout.trim() !== "contained") return startFailure(output.stderr);
  return existsSync(outside) ? "it is not tight: a command in it could write outside" : undefined;
}

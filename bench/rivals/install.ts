import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A rival's package on npm, in the measured version. */
export type RivalPackage = {
  readonly package: string;
  readonly version: string;
  /** Relative to the package's folder: the program that its `bin` names. */
  readonly program: string;
  /** The program is one bundle that loads none of the package's dependencies: only the package itself is fetched. */
  readonly isBundle?: boolean;
};

/** Git-ignored; kept, so that only the first run installs. */
export const rivalsFolder = resolve(import.meta.dirname, "../../.build/rivals");

const npmFlags = ["--no-audit", "--no-fund", "--loglevel=error", "--no-progress"];

/** The program after installation; a sentence if that fails. */
export function installRival(name: string, rival: RivalPackage): { program: string } | { why: string } {
  const folder = join(rivalsFolder, `${name}-${rival.version}`);
  const home = rival.isBundle ? join(folder, "package") : join(folder, "node_modules", rival.package);
  const program = join(home, rival.program);
  if (existsSync(program)) return { program };
  process.stderr.write(`Installing ${rival.package}@${rival.version} into ${folder}\n`);
  const problem = install(folder, rival);
  if (problem === undefined && existsSync(program)) return { program };
  rmSync(folder, { recursive: true, force: true });
  return { why: problem ?? `the package has no ${rival.program}` };
}

function install(folder: string, rival: RivalPackage): string | undefined {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const wanted = `${rival.package}@${rival.version}`;
  if (!rival.isBundle) return failureOf("npm", ["install", ...npmFlags, wanted], folder);
  const archive = `${rival.package.replace("@", "").replace("/", "-")}-${rival.version}.tgz`;
  return failureOf("npm", ["pack", ...npmFlags, wanted], folder) ?? failureOf("tar", ["-xzf", archive], folder);
}

/** Runs a program to its end; returns the line that says why it failed. */
function failureOf(program: string, args: string[], cwd: string): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return undefined;
  const [line] = (error?.message ?? stderr).split("\n").filter((text) => /\S/.test(text) && !text.includes("npm warn"));
  return `${program} ${args[0]}: ${line?.trim() ?? `exit code ${status}`}`;
}

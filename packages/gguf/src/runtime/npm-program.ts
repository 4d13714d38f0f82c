import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { type Environment, programEnvironment } from "@harness/host";

const KEPT_CHARS = 64 * 1024;

/** The command that runs npm: the one that came with our own Node, or the one on PATH. */
export type NpmProgram = { command: string; args: string[] };

/** Undefined if there is none. `execPath` is the Node that runs us. */
export function findNpm(env: Environment, execPath: string): NpmProgram | undefined {
  const beside = join(dirname(execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
  if (existsSync(beside)) return { command: execPath, args: [beside] };
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const command = join(folder, "npm");
    if (isAbsolute(folder) && existsSync(command)) return { command, args: [] };
  }
  return undefined;
}

/** Keeps the user's proxies, certificates and registry, and drops everything that an outer npm set for itself. */
export function npmEnvironment(env: Environment, execPath: string, cacheFolder: string): Record<string, string> {
  const own = Object.keys(env).filter(
    (name) => /^npm_config_/i.test(name) && !/^npm_config_(local_prefix|global_prefix|prefix|workspaces?)$/i.test(name),
  );
  const passed = programEnvironment(env, [...own, "NPM_TOKEN"], {});
  // npm refuses to work without a folder for its cache, and services and containers often have no home.
  if (!passed.HOME && !passed.npm_config_cache) passed.npm_config_cache = cacheFolder;
  // npm takes the Node to run with from PATH: it must not find an old one of the system.
  passed.PATH = [dirname(execPath), passed.PATH].join(delimiter);
  return passed;
}

export type RunEnd = { ok: boolean; output: string };

/** Runs a program to its end, or until the signal. `output` is the end of everything it printed. */
export function runToEnd(
  { command, args }: NpmProgram,
  { cwd, env, signal }: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<RunEnd> {
  return new Promise((resolve) => {
    let output = "";
    const child: ChildProcess = spawn(command, args, { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-KEPT_CHARS);
      });
    }
    child.once("error", (error) => resolve({ ok: false, output: `${output}\n${error.message}` }));
    child.once("close", (code) => resolve({ ok: code === 0, output }));
  });
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const repository = join(import.meta.dirname, "../..");
const scripts = ["harness", "with-node", "runtime.sh", "prepare.sh", "snapshot.sh", "v8-flags.sh"];
const systemTools = "sh cat env find grep ln ls mkdir mv ps readlink rm rmdir sed sleep tail touch uname uniq".split(
  " ",
);

const sourceLook = pathToFileURL(join(repository, "packages/cli/src/process/source-look.ts"));
const program = `
import { heedSourceLook } from "${sourceLook}";
heedSourceLook(import.meta.dirname);
const [first, ...rest] = process.argv.slice(2);
if (first === "fail") process.exitCode = 7;
else if (first === "echo") process.stdin.pipe(process.stdout);
else if (first === "wait") {
  process.on("SIGTERM", () => process.exit(9));
  setInterval(() => {}, 1000);
  process.stderr.write("ready\\n");
} else process.stdout.write(JSON.stringify({ cwd: process.cwd(), args: [first, ...rest] }));
`;

const fakeBundle = `
import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
appendFileSync(process.env.CALLS, "bundle\\n");
if (process.env.FAULT === "bundle") { process.stderr.write("main.ts:1: error: Expected ;\\n"); process.exit(1); }
const root = new URL("../", import.meta.url);
mkdirSync(new URL("dist", root), { recursive: true });
copyFileSync(new URL("packages/cli/src/main.ts", root), new URL("dist/harness.mjs", root));
writeFileSync(new URL("dist/built", root), "[]");
`;

/** Answers the version query itself: starting Node costs ten times as much. */
const quickNode = `#!/bin/sh
case $1 in --version) echo ${process.version} ;; *) exec "${process.execPath}" "$@" ;; esac
`;

/** FAULT makes it fail with that code; GATE makes it report its start and wait until it is released. */
const fakeNpm = `#!/bin/sh
echo "npm $1" >>"$CALLS"
echo "cache \${npm_config_cache:-of its own}"
if [ -n "\${GATE:-}" ]; then echo begun >"$GATE/begun"; read -r _ <"$GATE/go"; fi
case "\${FAULT:-}" in E*) echo "npm error code $FAULT"; exit 1 ;; esac
case $1 in
  ci) mkdir -p node_modules && echo '{}' >node_modules/.package-lock.json ;;
  install)
    mkdir -p "$3/node_modules/node/bin"
    ln -s "\${NEW_NODE:-${process.execPath}}" "$3/node_modules/node/bin/node"
    ;;
esac
`;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly child: ChildProcess;
  readonly ending: Promise<Ending>;
  /** Resolves once stderr contains the text. */
  said(text: string): Promise<void>;
}

/** Where a fake npm stops until the test releases it: two named pipes. */
export class Gate {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(dir);
    execFileSync("sh", ["-c", `mkfifo "$1/begun" "$1/go"`, "sh", dir]);
  }

  /** Resolves once the npm has begun. */
  begun(): Promise<Ending> {
    return ending(spawn("cat", [join(this.dir, "begun")]));
  }

  open(): Promise<Ending> {
    return ending(spawn("sh", ["-c", `echo go >"$1"`, "sh", join(this.dir, "go")]));
  }
}

function ending(child: ChildProcess): Promise<Ending> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/**
 * The real launcher scripts in a folder of their own, with a tiny program, a PATH controlled by the test, and no
 * network.
 */
export class FakeCheckout {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "harness-launcher-")));
  /** The checkout; its path has a space. */
  readonly root = join(this.base, "check out");
  readonly home = join(this.base, "home");
  readonly #fakes = join(this.base, "fakes");
  readonly #tools = join(this.base, "tools");
  readonly #callsFile = join(this.base, "calls");

  constructor() {
    for (const dir of [this.home, this.#fakes, this.#tools]) mkdirSync(dir);
    for (const name of scripts) {
      this.write(`bin/${name}`, readFileSync(join(repository, "bin", name), "utf8"));
      chmodSync(join(this.root, "bin", name), 0o755);
    }
    this.write("build/bundle.mjs", fakeBundle);
    this.write("package.json", `{"type":"module"}`);
    this.write("package-lock.json", "{}");
    this.write("packages/cli/package.json", "{}");
    this.write("packages/cli/src/main.ts", program);
    writeFileSync(this.#callsFile, "");
    for (const name of systemTools) {
      const found = (process.env.PATH ?? "").split(delimiter).find((dir) => existsSync(join(dir, name)));
      if (found) symlinkSync(join(found, name), join(this.#tools, name));
    }
    this.fake("node", quickNode);
    this.fake("npm", fakeNpm);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Puts a command of that name first on PATH. */
  fake(name: string, text: string): void {
    rmSync(join(this.#fakes, name), { force: true });
    writeFileSync(join(this.#fakes, name), text);
    chmodSync(join(this.#fakes, name), 0o755);
  }

  withoutFake(name: string): void {
    rmSync(join(this.#fakes, name));
  }

  /** The calls of npm and the bundler, in order. */
  calls(): string[] {
    return readFileSync(this.#callsFile, "utf8").split("\n").filter(Boolean);
  }

  start(command: string, args: readonly string[] = [], env: Record<string, string> = {}, cwd = this.base): Start {
    const path = `${this.#fakes}${delimiter}${this.#tools}`;
    const child = spawn(command, args, {
      cwd,
      env: { PATH: path, HOME: this.home, CALLS: this.#callsFile, ...env },
      stdio: "pipe",
    });
    const done = ending(child);
    const said = (text: string) =>
      new Promise<void>((resolve, reject) => {
        let seen = "";
        child.stderr.on("data", (more: string) => {
          seen += more;
          if (seen.includes(text)) resolve();
        });
        child.on("close", () => reject(new Error(`ended without saying "${text}": ${seen}`)));
      });
    return { child, ending: done, said };
  }

  async run(command: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ending> {
    const start = this.start(command, args, env);
    start.child.stdin?.end();
    return await start.ending;
  }

  async harness(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ending> {
    return await this.run(join(this.root, "bin/harness"), args, env);
  }

  /** Replaces the stand-in with the real bundler, with the packages of this repository. */
  useRealBundler(): void {
    // Its start-up snapshot is of the real command, and is not made.
    for (const name of ["bundle.mjs", "web-classes.mjs", "build-options.mjs", "v8-flags.mjs", "snapshot/make.mjs"]) {
      this.write(join("build", name), readFileSync(join(repository, "build", name), "utf8"));
    }
    this.write("node_modules/.package-lock.json", "{}");
    const entries = readFileSync(join(repository, "build/bundle.mjs"), "utf8").matchAll(
      /"(packages\/[\w/-]+\.(?:ts|css))"/g,
    );
    for (const [, path = ""] of entries) {
      if (!this.has(path)) this.write(path, path.endsWith(".css") ? "" : "process.exitCode = 0;");
    }
    symlinkSync(join(repository, "node_modules/esbuild"), join(this.root, "node_modules/esbuild"));
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

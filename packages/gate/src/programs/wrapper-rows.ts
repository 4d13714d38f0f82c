/**
 * Programs that start another one, and how they are called: short options alone (`flags`) and with a value (`values`), long
 * ones with a value (`longs`) and without (`longFlags`), and how many operands stand before the command.
 * An option that is not here makes every word a possible beginning.
 */
export type Wrapper = {
  flags?: string;
  values?: string;
  longs?: string;
  longFlags?: string;
  operands?: number;
  /** `NAME=value` may stand before the command. */
  assignments?: true;
};

export const wrapperRows: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "sudo",
    {
      flags: "AbEHikKnPSsvB",
      values: "CDghprRtTuU",
      longs: "user group prompt chdir host role type command-timeout close-from other-user chroot",
      longFlags: "askpass background preserve-env login non-interactive shell stdin set-home",
      assignments: true,
    },
  ],
  ["doas", { flags: "Lns", values: "Cu" }],
  [
    "env",
    {
      flags: "i0v",
      values: "uC",
      longs: "unset chdir",
      longFlags: "ignore-environment null debug",
      assignments: true,
    },
  ],
  ["command", { flags: "pvV" }],
  ["builtin", {}],
  ["exec", { flags: "cl", values: "a" }],
  ["nohup", {}],
  ["nice", { flags: "0123456789", values: "n", longs: "adjustment" }],
  ["ionice", { flags: "t", values: "cnpPu", longs: "class classdata", longFlags: "ignore" }],
  ["stdbuf", { values: "ioe", longs: "input output error" }],
  ["setsid", { flags: "cfw", longFlags: "ctty fork wait" }],
  [
    "xargs",
    {
      flags: "0prtxo",
      values: "adEILnPs",
      longs: "arg-file delimiter max-args max-procs max-chars process-slot-var",
      longFlags: "null interactive no-run-if-empty verbose exit open-tty",
    },
  ],
  [
    "timeout",
    {
      flags: "pv",
      values: "ks",
      longs: "kill-after signal",
      longFlags: "preserve-status foreground verbose",
      operands: 1,
    },
  ],
  ["chroot", { longs: "userspec groups", longFlags: "skip-chdir", operands: 1 }],
  ["taskset", { flags: "ac", operands: 1 }],
  ["unbuffer", { flags: "p" }],
  ["busybox", {}],
  ["toybox", {}],
  ["bunx", { longFlags: "bun" }],
  ["uvx", {}],
]);

/** Programs that start another one somewhere in their words. */
export const looseWrappers: ReadonlySet<string> = new Set(
  "su pkexec runuser flock parallel sem strace ltrace unshare nsenter chrt setarch linux32 linux64 systemd-run script watch firejail bwrap proot fakeroot fakechroot torsocks proxychains proxychains4 catchsegv gdb lldb valgrind perf rlwrap entr direnv chronic numactl prlimit runcon setpriv capsh start-stop-daemon eatmydata dbus-run-session dbus-launch xvfb-run caffeinate tmux screen nix nix-shell guix npx docker podman nerdctl kubectl oc lxc vagrant adb fd fdfind ssh-agent hyperfine dotenv doppler op aws-vault watchexec nodemon cgexec trickle with-contenv gosu su-exec tini dumb-init s6-setuidgid setuidgid chpst daemonize at batch expect".split(
    " ",
  ),
);

/** Package tools whose subcommand starts a program: what stands behind those words is a command. */
export const runners: readonly (readonly string[])[] = [
  "npm exec",
  "npm x",
  "pnpm exec",
  "pnpm dlx",
  "yarn exec",
  "yarn dlx",
  "bun x",
  "uv run",
  "uv tool run",
  "pipx run",
  "poetry run",
  "pdm run",
  "hatch run",
  "pipenv run",
  "rye run",
  "conda run",
  "mamba run",
  "bundle exec",
  "rbenv exec",
  "pyenv exec",
  "asdf exec",
  "mise exec",
  "mise x",
  "rustup run",
  "opam exec",
  "stack exec",
  "cabal exec",
  "git bisect run",
].map((words) => words.split(" "));

export const shells: ReadonlySet<string> = new Set("sh bash rbash zsh dash ash ksh mksh fish tcsh csh".split(" "));

/** Programs of languages whose program may stand among their words, by the options that it follows. */
export const interpreters: readonly (readonly [name: RegExp, code: RegExp])[] = [
  [/^(?:python|pypy)[0-9.]*$/, /^-[A-Za-z]*c$/],
  [/^(?:perl|ruby)[0-9.]*$/, /^-[A-Za-z0-9]*[eE]$/],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^(?:-[A-Za-z]*[ep]|--eval|--print|eval)$/],
  [/^php[0-9.]*$/, /^-[rBRE]$/],
  [
    /^(?:lua[0-9.]*|luajit|Rscript|R|julia|elixir|ghc|guile|emacs|vim?|nvim|ex|swift|scala|groovy|tclsh|osascript|pwsh|powershell)$/,
    /^(?:-[a-zA-Z]+|--eval|-command|--expr)$/,
  ],
  [/^(?:psql|mysql|sqlite3|mariadb)$/, /^(?:-c|-e|--command|--execute)$/],
];

/** Their first operand is a program in their own language. */
export const scripted: ReadonlySet<string> = new Set("awk gawk mawk nawk sed gsed sqlite3".split(" "));

export function isInterpreter(program: string): boolean {
  return shells.has(program) || scripted.has(program) || interpreters.some(([name]) => name.test(program));
}

/** Variables whose value is a command that some program starts. */
export const commandVariables =
  /^(?:PROMPT_COMMAND|PS[04]|BASH_ENV|ENV|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|GIT_(?:SSH(?:_COMMAND)?|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|RSYNC_RSH|CVS_RSH|SHELL|MAKEFLAGS|NODE_OPTIONS|PERL5OPT|RUBYOPT)\+?=/;

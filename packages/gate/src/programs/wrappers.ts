import { readFlags } from "./arguments/argument-row.ts";
import type { Programs } from "./program.ts";
import { addText, type StartReader } from "./starts/started-commands.ts";

const otherRights = "runs with the rights of another user";

/** `env -S 'cmd args'` has the command in one word. */
const splitStrings: StartReader = (started, rest) => {
  rest.forEach((word, index) => {
    const match = /^(?:-[iv0]*S|--split-string=?)([\s\S]*)$/.exec(word.text);
    if (match) addText(started, match[1] ? { ...word, text: match[1] } : rest[index + 1]);
  });
};

/** Programs that only start others. */
export const wrappers: Programs = {
  sudo: {
    starts: {
      flags: "AbEHikKnPSsvB",
      values: "CDghprRtTuU",
      longs: "user group prompt chdir host role type command-timeout close-from other-user chroot",
      longFlags: "askpass background preserve-env login non-interactive shell stdin set-home",
      assignments: true,
    },
    danger: otherRights,
    wide: true,
  },
  doas: { starts: { flags: "Lns", values: "Cu" }, danger: otherRights },
  "su pkexec": { starts: "anywhere", danger: otherRights },
  newgrp: { starts: "anywhere", runsInput: () => true },
  env: {
    // Any word would be a variable to set or a program to run.
    reads: readFlags(),
    starts: {
      flags: "i0v",
      values: "uC",
      longs: "unset chdir",
      longFlags: "ignore-environment null debug",
      assignments: true,
    },
    start: splitStrings,
  },
  nice: { starts: { flags: "0123456789", values: "n", longs: "adjustment" } },
  ionice: { starts: { flags: "t", values: "cnpPu", longs: "class classdata", longFlags: "ignore" } },
  stdbuf: { starts: { values: "ioe", longs: "input output error" } },
  setsid: { starts: { flags: "cfw", longFlags: "ctty fork wait" } },
  timeout: {
    starts: {
      flags: "pv",
      values: "ks",
      longs: "kill-after signal",
      longFlags: "preserve-status foreground verbose",
      operands: 1,
    },
  },
  chroot: { starts: { longs: "userspec groups", longFlags: "skip-chdir", operands: 1 } },
  taskset: { starts: { flags: "ac", operands: 1 } },
  unbuffer: { starts: { flags: "p" } },
  bunx: { starts: { longFlags: "bun" } },
  "busybox nohup toybox uvx": { starts: {} },
  npx: { starts: "anywhere", version: "--version -v" },
  "at batch": {
    starts: "anywhere",
    runsInput: (args) => !args.some((word) => /^-[a-zA-Z]*[fldrc]/.test(word)),
    wide: true,
  },
  // Tools for clusters, containers and the like are in `build-tools.ts`, `gdb` in `editors.ts`, `parallel` in
  // `input.ts`.
  "runuser flock watch strace ltrace unshare nsenter expect script systemd-run op chrt setarch linux32 linux64 firejail":
    { starts: "anywhere" },
  "bwrap proot fakeroot fakechroot torsocks proxychains proxychains4 catchsegv lldb valgrind perf rlwrap entr direnv": {
    starts: "anywhere",
  },
  "chronic numactl prlimit runcon setpriv capsh start-stop-daemon eatmydata dbus-run-session dbus-launch xvfb-run": {
    starts: "anywhere",
  },
  "caffeinate tmux screen nix nix-shell guix lxc vagrant adb ssh-agent hyperfine dotenv doppler aws-vault watchexec": {
    starts: "anywhere",
  },
  "nodemon cgexec trickle with-contenv gosu su-exec tini dumb-init s6-setuidgid setuidgid chpst daemonize": {
    starts: "anywhere",
  },
};

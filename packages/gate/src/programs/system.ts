import type { GivenArguments } from "./arguments/argument-reading.ts";
import { readFlags, readWords } from "./arguments/argument-row.ts";
import type { Programs } from "./program.ts";
import { namesTimeZone, timeZoneReason } from "./scripts/date-text.ts";

/** Fields of `ps -o`; an unknown field could show a program's environment. */
const psField =
  /^(?:pid|ppid|pgid|sid|user|uid|group|gid|comm|cmd|args|command|ucmd|%cpu|%mem|pcpu|pmem|rss|vsz|sz|etime|etimes|time|cputime|stat|s|state|tty|tt|ni|nice|pri|start|start_time|lstart|stime|psr|nlwp|tid|lwp|wchan)(?:=[A-Z]*)?$/;

const endsMachine = "acts on the whole machine";
const endsNamed = "stops processes by name";

/** Programs that describe the machine and the account, and those that change them. */
export const systemPrograms: Programs = {
  whoami: { reads: readFlags(), quiet: true },
  id: { reads: readWords("-ugGnrz --user --group --groups --name --real --zero"), quiet: true },
  groups: { reads: readWords() },
  nproc: { reads: readFlags("--all --ignore=number") },
  arch: { reads: readFlags() },
  lscpu: { reads: readFlags() },
  uname: {
    reads: readFlags(
      "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
    ),
    quiet: true,
  },
  // An operand sets the name; its flags for addresses and full names use the network.
  hostname: { reads: readFlags("-sI --short --all-ip-addresses") },
  uptime: { reads: readFlags("-ps --pretty --since") },
  free: {
    reads: readFlags("-bkmghtwvl --bytes --kilo --mega --giga --human --si --total --wide --lohi --kibi --mebi --gibi"),
  },
  cal: {
    reads: readWords("-13ysmjwh -n=number -A=number -B=number --one --three --year --monday --sunday", { most: 3 }),
  },
  locale: { reads: readFlags("-a --all-locales") },
  printenv: { reads: readWords("-0 --null") },
  which: {
    reads: readWords("-as --all", { check: ({ operands }) => slashed(operands) }),
    readsOpenly: false,
    quiet: true,
  },
  // macOS passes its words to a shell.
  whereis: { reads: readWords("-bmsul", { check: ({ operands }) => unknownOperand(operands, /^\w[\w.+-]*$/) }) },
  seq: {
    opensNothing: true,
    reads: readWords("-w -s=word -f=word --equal-width --separator=word --format=word", {
      most: 3,
      check: ({ operands }) =>
        operands.every(({ text }) => /^-?\d{1,7}(?:\.\d{1,6})?$/.test(text))
          ? undefined
          : "its words are not small numbers",
    }),
  },
  // Arguments that it does not understand are parsed again in another style, in which `e` shows the environment of
  // programs.
  ps: {
    reads: readWords("-eAfFljw -o=word -p=number --sort=word --no-headers --forest --pid=number", {
      apart: "last",
      check: checkPs,
    }),
  },
  pgrep: {
    reads: readWords(
      "-facilnovx -u=word -P=number -d=word --full --list-name --list-full --count --exact --newest --oldest --ignore-case",
      { most: 1 },
    ),
  },
  // `-K` ends connections, `-D` writes, and names in a filter are resolved over the network.
  ss: {
    reads: readWords(
      "-tulnpaxHs460eoim --tcp --udp --unix --listening --numeric --processes --all --no-header --summary --extended --ipv4 --ipv6",
      {
        check: ({ operands }) =>
          unknownOperand(
            operands,
            /^(?:state|listening|established|and|or|[sd]port|(?:[sd]port)?(?:==?|eq)?(?::\d+)?)$/,
          ),
      },
    ),
  },
  // Without `-n` it resolves addresses over the network.
  netstat: {
    reads: readFlags("-tulnpaes46 --tcp --udp --listening --numeric --programs --all --statistics", {
      check: ({ flags }) =>
        flags.some(({ name }) => name === "-n" || name === "--numeric")
          ? undefined
          : "it looks up names in the network",
    }),
  },
  // `-D` and `+m` write, `-r` repeats; host names are resolved over the network.
  lsof: {
    reads: readWords("-nPtal -i[=word] -s[=word] -p=number -u=word -c=word", {
      check: ({ flags, operands }) => {
        if (!flags.some(({ name }) => /^-[ipuc]$/.test(name))) return "nothing says what to list";
        const named = flags.filter(({ name }) => /^-[is]$/.test(name)).map(({ value = "" }) => ({ text: value }));
        return unknownOperand([...operands, ...named], /^[46]?(?:tcp|udp)?(?::\^?[\w,-]+)?$/i);
      },
    }),
    harden: (words) => ({ words: ["-n", ...words] }),
  },
  // It does nothing, but the user would have to wait for it.
  sleep: {
    opensNothing: true,
    reads: readWords("", {
      least: 1,
      most: 1,
      check: ({ operands }) => unknownOperand(operands, /^[12]?\d?\d(?:\.\d+)?s?$/),
    }),
    quiet: true,
  },
  expr: { opensNothing: true, reads: readWords() },
  bc: { reads: readFlags("-lq --mathlib --quiet") },
  tty: { reads: readFlags("-s") },
  getconf: { reads: readWords("", { most: 1 }) },
  // Without `+` the word is the time to set.
  date: {
    reads: readWords(
      "-uR -d=word -I[=word] --utc --universal --date=word --iso-8601[=word] --rfc-3339=word --rfc-email",
      {
        most: 1,
        check: ({ operands, flags }) => {
          if (!operands.every(({ text }) => text.startsWith("+"))) return "a word without + sets the clock";
          return flags.some(({ value = "" }) => namesTimeZone(value)) ? timeZoneReason : undefined;
        },
      },
    ),
    quiet: true,
  },
  mkfs: { danger: endsMachine, versioned: true },
  "mke2fs mkswap shutdown reboot poweroff halt fdisk sfdisk gdisk parted wipefs blkdiscard cryptsetup init telinit": {
    danger: endsMachine,
  },
  systemctl: {
    danger: (_args, [first = ""]) =>
      /^(?:poweroff|reboot|halt|kexec|suspend|hibernate)$/.test(first) ? endsMachine : undefined,
    wide: true,
    nameWords: 2,
  },
  crontab: { danger: (args) => (args.includes("-l") ? undefined : "changes scheduled jobs"), wide: true },
  kill: {
    opensNothing: true,
    danger: (args, operands) =>
      [...operands, ...args.slice(1)].some((word) => /^-?0$|^-1$|^\$\$$/.test(word))
        ? "may stop processes of others"
        : undefined,
    wide: true,
    plainWords: true,
  },
  "killall pkill": { opensNothing: true, risk: endsNamed, wide: true },
  "service mount umount passwd useradd usermod": { wide: true },
  ip: { runsOption: "exec" },
};

function checkPs({ flags, operands }: GivenArguments): string | undefined {
  const formats = flags.filter(({ name }) => /^-[oFflj]$/.test(name));
  const dashed = flags.some(({ name }) => !name.startsWith("--"));
  const isList = operands.every(({ text }) => /^[axufjlwrTh]+$/.test(text));
  if (!isList || operands.length > (dashed ? 0 : 1) || formats.length > 1) return "its flags do not only list";
  const fields = formats.filter(({ name }) => name === "-o").flatMap(({ value = "" }) => value.split(","));
  const sorted = flags.filter(({ name }) => name === "--sort").flatMap(({ value = "" }) => value.split(","));
  const unknown = [...fields, ...sorted.map((each) => each.replace(/^[-+]/, ""))].find((each) => !psField.test(each));
  return unknown === undefined ? undefined : `${unknown} is not a known field`;
}

/** Names the first unknown word of the operands, split at blanks; undefined: all are known. */
function unknownOperand(operands: readonly { text: string }[], known: RegExp): string | undefined {
  const odd = operands.flatMap(({ text }) => text.split(/\s+/)).find((word) => !known.test(word));
  return odd === undefined ? undefined : `${odd} is not known`;
}

function slashed(operands: readonly { text: string }[]): string | undefined {
  return operands.some(({ text }) => text.includes("/")) ? "it is asked about a path" : undefined;
}

import type { GivenArguments } from "./arguments/argument-reading.ts";
import type { ProgramRow } from "./arguments/program-row.ts";

/** Fields of `ps -o`; one that is not known here could show a program's environment. */
const psField =
  /^(?:pid|ppid|pgid|sid|user|uid|group|gid|comm|cmd|args|command|ucmd|%cpu|%mem|pcpu|pmem|rss|vsz|sz|etime|etimes|time|cputime|stat|s|state|tty|tt|ni|nice|pri|start|start_time|lstart|stime|psr|nlwp|tid|lwp|wchan)(?:=[A-Z]*)?$/;

/** Programs that tell about the machine, the account, or about words; none opens a file that it is told. */
export const systemRows: Readonly<Record<string, ProgramRow>> = {
  whoami: {},
  id: { flags: "-ugGnrz --user --group --groups --name --real --zero", operands: "word" },
  groups: { operands: "word" },
  nproc: { flags: "--all --ignore=number" },
  arch: {},
  lscpu: {},
  uname: {
    flags:
      "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
  },
  // With a word it sets the name; its flags for addresses and whole names ask the network.
  hostname: { flags: "-sI --short --all-ip-addresses" },
  uptime: { flags: "-ps --pretty --since" },
  free: { flags: "-bkmghtwvl --bytes --kilo --mega --giga --human --si --total --wide --lohi --kibi --mebi --gibi" },
  cal: {
    flags: "-13ysmjwh -n=number -A=number -B=number --one --three --year --monday --sunday",
    operands: "word",
    most: 3,
  },
  locale: { flags: "-a --all-locales" },
  // Any word would be a variable to set or a program to run.
  env: {},
  printenv: { flags: "-0 --null", operands: "word" },
  which: { flags: "-as --all", operands: "word", check: ({ operands }) => slashed(operands) },
  // macOS hands its words to a shell.
  whereis: { flags: "-bmsul", operands: "word", check: ({ operands }) => listed(operands, /^\w[\w.+-]*$/) },
  seq: {
    flags: "-w -s=word -f=word --equal-width --separator=word --format=word",
    operands: "word",
    most: 3,
    check: ({ operands }) =>
      operands.every(({ text }) => /^-?\d{1,7}(?:\.\d{1,6})?$/.test(text))
        ? undefined
        : "its words are no small numbers",
  },
  // What it does not understand it reads anew in another way, in which `e` shows the environment of programs.
  ps: {
    flags: "-eAfFljw -o=word -p=number --sort=word --no-headers --forest --pid=number",
    operands: "word",
    apart: "last",
    check: checkPs,
  },
  pgrep: {
    flags:
      "-facilnovx -u=word -P=number -d=word --full --list-name --list-full --count --exact --newest --oldest --ignore-case",
    operands: "word",
    most: 1,
  },
  // `-K` ends connections, `-D` writes, and a name in a filter is asked for in the network.
  ss: {
    flags:
      "-tulnpaxHs460eoim --tcp --udp --unix --listening --numeric --processes --all --no-header --summary --extended --ipv4 --ipv6",
    operands: "word",
    check: ({ operands }) =>
      listed(operands, /^(?:state|listening|established|and|or|[sd]port|(?:[sd]port)?(?:==?|eq)?(?::\d+)?)$/),
  },
  // Without `-n` it asks for the names of addresses in the network.
  netstat: {
    flags: "-tulnpaes46 --tcp --udp --listening --numeric --programs --all --statistics",
    check: ({ flags }) =>
      flags.some(({ name }) => name === "-n" || name === "--numeric") ? undefined : "it looks up names in the network",
  },
  // Run with `-n`, see `wordsToRun`. `-D` and `+m` write, `-r` goes on; a host is asked for in the network.
  lsof: {
    flags: "-nPtal -i[=word] -s[=word] -p=number -u=word -c=word",
    operands: "word",
    check: ({ flags, operands }) => {
      if (!flags.some(({ name }) => /^-[ipuc]$/.test(name))) return "it is not told what to list";
      const named = flags.filter(({ name }) => /^-[is]$/.test(name)).map(({ value = "" }) => ({ text: value }));
      return listed([...operands, ...named], /^[46]?(?:tcp|udp)?(?::\^?[\w,-]+)?$/i);
    },
  },
  // It does nothing, for as long as the person would wait.
  sleep: { operands: "word", least: 1, most: 1, check: ({ operands }) => listed(operands, /^[12]?\d?\d(?:\.\d+)?s?$/) },
  expr: { operands: "word" },
  bc: { flags: "-lq --mathlib --quiet" },
  pwd: { flags: "-LP" },
  tty: { flags: "-s" },
  getconf: { operands: "word", most: 1 },
  true: { operands: "word" },
  false: { operands: "word" },
  type: { flags: "-atpP", operands: "word", least: 1 },
};

function checkPs({ flags, operands }: GivenArguments): string | undefined {
  const formats = flags.filter(({ name }) => /^-[oFflj]$/.test(name));
  const dashed = flags.some(({ name }) => !name.startsWith("--"));
  const isList = operands.every(({ text }) => /^[axufjlwrTh]+$/.test(text));
  if (!isList || operands.length > (dashed ? 0 : 1) || formats.length > 1) return "its flags do not only list";
  const fields = formats.filter(({ name }) => name === "-o").flatMap(({ value = "" }) => value.split(","));
  const sorted = flags.filter(({ name }) => name === "--sort").flatMap(({ value = "" }) => value.split(","));
  const unknown = [...fields, ...sorted.map((each) => each.replace(/^[-+]/, ""))].find((each) => !psField.test(each));
  return unknown === undefined ? undefined : `${unknown} is no field that is known`;
}

/** Is each of them, parted at blanks, one that is known? */
function listed(operands: readonly { text: string }[], known: RegExp): string | undefined {
  const odd = operands.flatMap(({ text }) => text.split(/\s+/)).find((word) => !known.test(word));
  return odd === undefined ? undefined : `${odd} is nothing that is known`;
}

function slashed(operands: readonly { text: string }[]): string | undefined {
  return operands.some(({ text }) => text.includes("/")) ? "it is asked about a path" : undefined;
}

import type { GivenArguments } from "./argument-reading.ts";
import type { ProgramRow } from "./program-row.ts";

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
  // With a word it sets the name.
  hostname: { flags: "-fsiIdA --fqdn --short --ip-address --all-ip-addresses --domain --all-fqdns --long" },
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
  whereis: { flags: "-bmsul", operands: "word" },
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
  pwd: { flags: "-LP" },
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

function slashed(operands: readonly { text: string }[]): string | undefined {
  return operands.some(({ text }) => text.includes("/")) ? "it is asked about a path" : undefined;
}

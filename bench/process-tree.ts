import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

type ProcessFigures = { parent: number; rssBytes: number; cpuMs: number };

/** Memory with shared pages divided among their users; 0 if the kernel does not report it. */
function readPss(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** One process from /proc (proc(5)); undefined if it has exited. CPU includes children that were waited for. */
function readProcess(pid: number): ProcessFigures | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name may contain spaces and brackets: fields count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const field = (n: number) => Number(fields[n - 3]);
    return {
      parent: field(4),
      rssBytes: field(24) * 4096,
      cpuMs: ((field(14) + field(15)) * 1000) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

/** Current memory and CPU of a process and all its living descendants. `largestBytes`: of the largest of these processes. */
export function readTree(root: number): { rssBytes: number; largestBytes: number; cpuMs: number; processes: number } {
  return sumTree(root, () => 0);
}

/** The same with `pssBytes`, which makes the kernel walk through every page table. */
export function readTreeWithPss(root: number) {
  return sumTree(root, readPss);
}

/** The processes with this home in their environment, including those that a program left on their own. */
export function processesOfHome(home: string): number[] {
  const wanted = `HOME=${home}`;
  return processIds().filter((pid) => environmentOf(pid).includes(wanted));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Memory and CPU of these processes, with shared pages counted in each, and once. */
export function readProcesses(pids: readonly number[]): { rssBytes: number; pssBytes: number; cpuMs: number } {
  const total = { rssBytes: 0, pssBytes: 0, cpuMs: 0 };
  for (const pid of pids) {
    const { rssBytes = 0, cpuMs = 0 } = readProcess(pid) ?? {};
    total.rssBytes += rssBytes;
    total.pssBytes += readPss(pid);
    total.cpuMs += cpuMs;
  }
  return total;
}

const processIds = (): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0);

function sumTree(root: number, pssOf: (pid: number) => number) {
  const all = new Map<number, ProcessFigures>();
  for (const pid of processIds()) {
    const figures = readProcess(pid);
    if (figures) all.set(pid, figures);
  }
  const total = { rssBytes: 0, largestBytes: 0, pssBytes: 0, cpuMs: 0, processes: 0 };
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent)
      if (at === root) return true;
    return false;
  };
  for (const [pid, figures] of all) {
    if (!belongs(pid)) continue;
    total.rssBytes += figures.rssBytes;
    total.largestBytes = Math.max(total.largestBytes, figures.rssBytes);
    total.pssBytes += pssOf(pid);
    total.cpuMs += figures.cpuMs;
    total.processes += 1;
  }
  return total;
}

/** Samples the tree until `stop`, which returns the highest memory seen. */
export function watchPeak(root: number, everyMs: number): () => number {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, readTree(root).rssBytes);
  };
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

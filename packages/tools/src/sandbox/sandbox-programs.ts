import { findProgram } from "../process/find-program.ts";

export type SandboxPrograms = { bwrap: string; socat?: string };

/** The programs that contain commands on Linux, from a PATH; otherwise what is missing, and how to get it. */
export async function sandboxPrograms(
  path: string,
  { needsHosts }: { needsHosts: boolean },
): Promise<SandboxPrograms | { why: string }> {
  const [bwrap, socat] = await Promise.all([findProgram("bwrap", path), findProgram("socat", path)]);
  const missing = [bwrap ? "" : "bubblewrap", needsHosts && !socat ? "socat" : ""].filter(Boolean);
  if (!bwrap || missing.length > 0) {
    const are = missing.length > 1 ? "are" : "is";
    const names = missing.join(" ");
    return {
      why: `${missing.join(" and ")} ${are} not installed (Debian, Ubuntu: apt install ${names}; Fedora: dnf install ${names}; Arch: pacman -S ${names})`,
    };
  }
  return { bwrap, ...(socat ? { socat } : {}) };
}

/** Why an installed sandbox does not start, judging by its output. */
export function startFailure(output: string): string {
  const lastLine = output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  const quoted = lastLine === "" ? "" : ` (${lastLine})`;
  if (/uid map|namespace|unshare|Operation not permitted|Permission denied|No space left/i.test(lastLine)) {
    return `this system does not let it create namespaces${quoted}; in a container, or where AppArmor restricts user namespaces, the administrator has to allow them`;
  }
  if (/[Uu]nknown option|--disable-userns/.test(lastLine))
    return `it is older than 0.8.0${quoted}; install a newer bubblewrap`;
  return `it does not start${quoted}`;
}

import type { PrivateFolder } from "./private-folder.ts";
import type { ProxyProcess } from "./proxy/proxy-process.ts";
import type { FileAccess } from "./sandbox-policy.ts";
import type { SandboxPrograms } from "./sandbox-programs.ts";

/** `refused`: as `host:port`. `lost`: why the route to allowed hosts was closed meanwhile. */
export type HostsEnd = { refused: string[]; lost?: string };

/** A command that is ready to start contained. */
export type Containment = {
  argv: string[];
  /** Added to the command's own environment. */
  env: Record<string, string>;
  /** The hosts refused so far. */
  hosts(): Promise<HostsEnd>;
};

type ContainmentOptions = {
  argv: readonly string[];
  cwd: string;
  policy: FileAccess;
  own: PrivateFolder;
};

/** How commands are contained on one kind of system. */
export interface Container {
  contain(options: ContainmentOptions): Promise<Containment | { problem: string }>;
  end(): void;
}

/** The route to allowed hosts; absent: there is none. */
export type ProxyRoute = { proxy: ProxyProcess; socket: string; token: string; socat: string };

export type LinuxContainmentDeps = {
  programs: SandboxPrograms;
  way: ProxyRoute | undefined;
  /** Opens another route after the first has ended. */
  reopen: (() => Promise<ProxyRoute | { why: string }>) | undefined;
};

import type { SandboxView } from "@harness/gate";
import type { Environment } from "@harness/host";
import { findProgram } from "../process/find-program.ts";
import type { Container, Containment, ProxyRoute } from "./containment.ts";
import type { PlaceholderFolders } from "./placeholder-folders.ts";
import { plantedCode } from "./planted-code.ts";
import { type PrivateFolder, privateFolder } from "./private-folder.ts";
import { parentProxies } from "./proxy/parent-proxies.ts";
import { type ProxyProcess, startProxy } from "./proxy/proxy-process.ts";
import { moveAll, protectedLinks, quarantine } from "./quarantine.ts";
import type { ContainedEnd } from "./sandbox-notes.ts";
import { sandboxPolicy } from "./sandbox-policy.ts";
import { sandboxPrograms } from "./sandbox-programs.ts";
import type { SharedFinds } from "./shared-finds.ts";
import { tryOut } from "./try-out.ts";

export type SandboxOptions = {
  wanted: SandboxView["wanted"];
  /** Hosts that commands may reach, such as `registry.npmjs.org` or `*.example.com`. */
  allowedDomains: readonly string[];
  /** The folder of our own settings and keys. */
  configFolder: string;
  home: string;
  /** Workspace files that hooks and servers run outside the sandbox: nothing in it may change them. Absent: none. */
  runFiles?: () => readonly string[];
  /** The search path for its programs: a PATH without workspace folders. */
  path: string;
  /** Names the user's own proxies, through which allowed hosts are reached. */
  env: Environment;
};

type ContainedCommand = {
  argv: readonly string[];
  /** Real, like `roots`. */
  cwd: string;
  /** Folders that may be changed. */
  roots: readonly string[];
};

type ContainedRun = Omit<Containment, "hosts"> & {
  /** Cleans up; call once, after the command. */
  end(): Promise<ContainedEnd>;
};

/** Runs commands that can change no more than the workspace and reach no more than the allowed hosts. */
export interface Sandbox extends SandboxView {
  /** The allowed hosts, for messages. */
  readonly allowedDomains: readonly string[];
  /**
   * Returns the process to start instead of a command. Never runs it outside: if it cannot be contained, the answer
   * says why.
   */
  contain(command: ContainedCommand): Promise<ContainedRun | { problem: string }>;
  /** Ends everything that belongs to it. Running commands lose their route to hosts. */
  close(): void;
}

const MAX_PLACE_CHARS = 70;

/** Shared by the sandboxes of all sessions. */
type SandboxDeps = {
  readonly placeholders: PlaceholderFolders;
  readonly finds: SharedFinds;
  /** Removes, once, the folders that killed processes have left. */
  staleRemoved(): Promise<void>;
};

/** A sandbox for a session. Starts and reads nothing before `ready`. */
export function createSandbox(options: SandboxOptions, shared: SandboxDeps): Sandbox {
  let container: Container | undefined;
  let own: PrivateFolder | undefined;
  let why: string | undefined;
  let tried: Promise<void> | undefined;
  const start = async () => {
    const folder = privateFolder();
    const opened = await openContainer(options, folder);
    why = "why" in opened ? opened.why : await tryOut(opened, folder);
    if (why === undefined && "contain" in opened) {
      await shared.staleRemoved();
      container = opened;
      own = folder;
      return;
    }
    if ("end" in opened) opened.end();
    folder.remove();
  };
  return {
    wanted: options.wanted,
    allowedDomains: options.allowedDomains,
    get active() {
      return container !== undefined;
    },
    get why() {
      return why;
    },
    ready() {
      if (options.wanted === "off") return Promise.resolve();
      tried ??= start().catch((error: unknown) => {
        why = `it cannot be prepared: ${error instanceof Error ? error.message : String(error)}`;
      });
      return tried;
    },
    async contain(command) {
      if (!container || !own) return { problem: why ?? "it has not been tested" };
      return containIn({ container, own, shared }, command, options);
    },
    close() {
      container?.end();
      own?.remove();
      container = undefined;
      why = "it was closed";
    },
  };
}

async function openContainer(options: SandboxOptions, own: PrivateFolder): Promise<Container | { why: string }> {
  const needsHosts = options.allowedDomains.length > 0;
  if (process.platform === "darwin") {
    const parents = needsHosts ? parentProxies(options.env) : {};
    if ("problem" in parents) return noHosts(parents.problem);
    const proxy = await startProxy(proxyEnv(options));
    const answer = await proxy.ask({ ask: "open", allowedDomains: [...options.allowedDomains], parents });
    if ("problem" in answer) return closeProxy(proxy, answer.problem);
    return (await import("./mac-container.ts")).macContainer(proxy);
  }
  if (process.platform !== "linux") return { why: "there is none for this system" };
  const programs = await sandboxPrograms(options.path, { needsHosts });
  if ("why" in programs) return programs;
  const { linuxContainer } = await import("./linux-container.ts");
  if (!needsHosts || !programs.socat) return linuxContainer({ programs, way: undefined, reopen: undefined });
  const { bwrap, socat } = programs;
  const reopen = () => openRoute(options, bwrap, socat, own);
  const way = await reopen();
  return "why" in way ? way : linuxContainer({ programs, way, reopen });
}

async function openRoute(
  options: SandboxOptions,
  bwrap: string,
  socat: string,
  own: PrivateFolder,
): Promise<ProxyRoute | { why: string }> {
  const parents = parentProxies(options.env);
  if ("problem" in parents) return noHosts(parents.problem);
  // Its sockets are removed with the folder, even if it is killed; their names are limited to 107 bytes (unix(7)).
  const place: Record<string, string> = own.path.length < MAX_PLACE_CHARS ? { TMPDIR: own.path } : {};
  const proxy = await startProxy({ ...proxyEnv(options), ...place });
  const anyProgram = await findProgram("true", `${options.path}:/bin:/usr/bin`);
  const answer = await proxy.ask({
    ask: "open",
    allowedDomains: [...options.allowedDomains],
    parents,
    socat,
    bwrap,
    ...(anyProgram ? { rg: anyProgram } : {}),
  });
  if ("problem" in answer) return closeProxy(proxy, answer.problem);
  const { socket, token } = "opened" in answer ? answer.opened : {};
  return socket && token ? { proxy, socket, token, socat } : closeProxy(proxy, "its proxy has no address");
}

function closeProxy(proxy: ProxyProcess, problem: string): { why: string } {
  proxy.end();
  return noHosts(problem);
}

function noHosts(problem: string): { why: string } {
  return { why: `the hosts of sandbox_domains cannot be reached: ${problem}` };
}

/** An environment without our keys. */
function proxyEnv({ path, home }: SandboxOptions): Record<string, string> {
  return { PATH: path, HOME: home };
}

type ContainmentDeps = { container: Container; own: PrivateFolder; shared: SandboxDeps };

async function containIn(
  { container, own, shared }: ContainmentDeps,
  { argv, cwd, roots }: ContainedCommand,
  { home, configFolder, runFiles }: SandboxOptions,
): Promise<ContainedRun | { problem: string }> {
  if (roots.includes("/")) return { problem: "the workspace is the whole file system, so it would protect nothing" };
  const finds = shared.finds.use();
  const policy = await sandboxPolicy({ roots, home, configFolder, runFiles: runFiles?.() ?? [] }, finds.findsIn);
  if (policy.problem !== undefined) {
    finds.release();
    return { problem: policy.problem };
  }
  // The placeholders of other commands are among the fixed paths: they must stay for this command as well.
  own.note(policy.vacant);
  const places = await shared.placeholders.make([
    ...policy.vacant,
    ...policy.fixed.filter((path) => shared.placeholders.has(path)),
  ]);
  const links = await protectedLinks(policy.links);
  const vacant = places.held.filter((path) => !policy.fixed.includes(path));
  const contained = await container.contain({ argv, cwd, policy: { ...policy, vacant }, own });
  if ("problem" in contained) {
    await places.release();
    finds.release();
    return contained;
  }
  const { hosts, ...start } = contained;
  return {
    ...start,
    async end() {
      await places.release();
      const moved = await quarantine(policy.watched, links);
      for (const [root, standing] of policy.standing) {
        const planted = await plantedCode(standing, await finds.now(root), (path) => shared.placeholders.has(path));
        moved.push(...(await moveAll(planted)));
      }
      finds.release();
      return { hosts: await hosts(), quarantined: moved };
    },
  };
}

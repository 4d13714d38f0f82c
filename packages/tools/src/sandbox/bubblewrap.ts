import { isWithin } from "@harness/gate";
import type { FileAccess } from "./sandbox-policy.ts";

type BubblewrapOptions = {
  /** The folder that commands see as /tmp. */
  temporary: string;
  /** An unreadable file, mounted over files with secrets. */
  nothing: string;
  cwd: string;
  policy: FileAccess;
  /** A socket that stays visible, under its own name. */
  socket?: string;
};

/** No process outside is visible or reachable; the command has no capabilities and cannot gain any in a namespace. */
const ALONE = [
  ...["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent"],
];
/** Kernel interfaces for root, because root outside the sandbox is still root inside. */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "mtrr", "pressure", "acpi", "scsi"];
/** On NixOS the system's programs are found through /run. */
const PROGRAMS_IN_RUN = ["/run/current-system", "/run/wrappers", "/run/opengl-driver"];

/**
 * The arguments of bubblewrap (bwrap(1), 0.8 or newer) for a policy, up to the command. Mounts are ordered by depth, so
 * that the content of a folder is decided after the folder.
 */
export function bubblewrapArgs({ temporary, nothing, cwd, policy, socket }: BubblewrapOptions): string[] {
  const mounts = new Map<string, string[]>();
  const put = (path: string, ...words: string[]) => mounts.set(path, words);
  put("/run", "--tmpfs", "/run");
  for (const path of PROGRAMS_IN_RUN) put(path, "--ro-bind-try", path, path);
  put("/tmp", "--bind", temporary, "/tmp");
  put("/var/tmp", "--bind", temporary, "/var/tmp");
  for (const path of policy.hiddenFolders) put(path, "--tmpfs", path);
  for (const path of policy.writable) put(path, "--bind", path, path);
  const held = [...policy.fixed, ...policy.vacant];
  // A mount point cannot be renamed, so its content cannot be moved away and replaced.
  for (const path of held.flatMap((each) => foldersBetween(policy.writable, each))) {
    if (!mounts.has(path)) put(path, "--bind", path, path);
  }
  for (const path of held) put(path, "--ro-bind", path, path);
  for (const path of policy.hiddenFiles) put(path, "--ro-bind", nothing, path);
  if (socket) put(socket, "--ro-bind", socket, socket);
  const ordered = [...mounts].sort(([a], [b]) => depth(a) - depth(b));
  const sealed = ["/run", ...policy.hiddenFolders].flatMap((path) => ["--remount-ro", path]);
  return [
    ...ALONE,
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...KERNEL.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]),
    ...ordered.flatMap(([, words]) => words),
    ...sealed,
    ...["--chdir", cwd, "--"],
  ];
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}

/** The folders between a root and a path, without either. */
function foldersBetween(roots: readonly string[], path: string): string[] {
  const folders: string[] = [];
  for (
    let folder = above(path);
    roots.some((root) => isWithin(folder, root) && folder !== root);
    folder = above(folder)
  ) {
    folders.push(folder);
  }
  return folders;
}

function above(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

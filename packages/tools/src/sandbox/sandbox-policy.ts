import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin, secretsOfHome } from "@harness/gate";
import { realPathOf } from "@harness/host";
import { gitCode } from "./git-code.ts";
import { runsOf, type WorkspaceBaseline } from "./planted-code.ts";
import type { WorkspaceFinds, WorkspaceWalk } from "./workspace-walk.ts";

/** The file access of contained commands, and the findings that it is based on. */
export type SandboxPolicy = FileAccess & {
  /** The state of each root before the command. */
  standing: ReadonlyMap<string, WorkspaceBaseline>;
  /** Why a command cannot be contained there: not everything that must be protected or hidden could be found. */
  problem?: string;
};

/** Paths are absolute and real, and exist unless stated otherwise. */
export type FileAccess = {
  /** Folders that commands may change. Everything else is read-only. */
  writable: string[];
  /** Paths inside them that stay read-only. */
  fixed: string[];
  /** Folders that do not exist and must not be created. */
  vacant: string[];
  /** Protected places that do not exist and cannot be mounted: files created there are quarantined afterwards. */
  watched: string[];
  /** Links at protected places: they are restored afterwards. */
  links: string[];
  /** Hidden paths. */
  hiddenFolders: string[];
  hiddenFiles: string[];
};

/** `runFiles`: files that programs outside run; existing ones stay as they are, the others must not be created. */
type SandboxPolicyOptions = {
  roots: readonly string[];
  home: string;
  configFolder: string;
  runFiles?: readonly string[];
};

/** Protected folders that must not be created if they are missing. `.git`: no new repository with a command's hooks. */
const VACANT_FOLDERS = [".harness", ".git", ".vscode", ".idea", ".husky", ".devcontainer", ".github/workflows"];
const WATCHED_FILES = [
  ...[".gitmodules", ".gitattributes", ".mcp.json", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs"],
  ...["lefthook.yml", ".pre-commit-config.yaml", ".cargo/config.toml", ".cursor", ".claude", ".gemini"],
];
/** Files that a login, a shell or git reads, for a home folder that is part of the workspace. */
const START_UP = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".logout"],
  ...[".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment", ".gitconfig", ".ssh"],
  ...["autostart", "autostart-scripts", "environment.d", "fish", "git", "systemd"].map(inConfig),
  ...[".local/share/systemd", ".local/share/applications", "Library/LaunchAgents"],
];

/** Additional secret places, which are not secret everywhere. */
const MORE_SECRETS_OF_HOME = [
  ...[".cargo/credentials.toml", ".cargo/credentials"],
  ...[".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history"],
  ".local/share/fish/fish_history",
];

function inConfig(name: string): string {
  return `.config/${name}`;
}

/**
 * Examines the current files for the next command. `findsIn` returns the known findings for a root that must not be
 * examined again. Never throws.
 */
export async function sandboxPolicy(
  options: SandboxPolicyOptions,
  findsIn: (root: string) => Promise<RootFinds>,
): Promise<SandboxPolicy> {
  const writable = await existing(options.roots);
  const inRoots = (path: string) => writable.some((root) => isWithin(path, root));
  const finds = await Promise.all(writable.map(findsIn));
  const fixed = await existing([
    ...finds.flatMap((each) => each.fixed),
    options.configFolder,
    ...(options.runFiles ?? []),
  ]);
  const hidden = await existing([
    ...[...secretsOfHome(), ...MORE_SECRETS_OF_HOME].map((name) => join(options.home, name)),
    ...(await ownSecrets(options.configFolder)),
    ...finds.flatMap(({ secrets }) => secrets),
    ...(await foreignSockets(inRoots)),
  ]);
  const folders = await Promise.all(hidden.map(isFolder));
  const startUp = START_UP.map((name) => join(options.home, name)).filter(inRoots);
  const absent = await missingPaths(finds.flatMap(({ folders }) => folders));
  const holdable = await Promise.all(absent.map((path) => isFolder(dirname(path))));
  return {
    writable,
    fixed: fixed.filter((path) => inRoots(path) && !writable.includes(path)),
    vacant: absent.filter((path, i) => holdable[i] && inRoots(path)),
    watched: [
      ...absent.filter((_path, i) => !holdable[i]),
      ...(await missingPaths([...finds.flatMap(({ files }) => files), ...startUp, ...(options.runFiles ?? [])])),
    ].filter(inRoots),
    links: finds.flatMap(({ links }) => links),
    hiddenFolders: hidden.filter((path, i) => folders[i] && !writable.includes(path)),
    hiddenFiles: hidden.filter((_path, i) => !folders[i]),
    standing: new Map(writable.map((root, i) => [root, finds[i]?.standing] as const).filter(isKnown)),
    ...problemOf(finds, writable),
  };
}

function isKnown(pair: readonly [string, WorkspaceBaseline | undefined]): pair is readonly [string, WorkspaceBaseline] {
  return pair[1] !== undefined;
}

function problemOf(finds: readonly RootFinds[], roots: readonly string[]): Pick<SandboxPolicy, "problem"> {
  const at = finds.findIndex(({ problem }) => problem !== undefined);
  return at < 0 ? {} : { problem: `not all of ${roots[at]} can be protected: ${finds[at]?.problem}` };
}

/** `folders`, `files`: those that must not be created. `standing`: the state before a command. */
export type RootFinds = Pick<WorkspaceFinds, "fixed" | "secrets" | "links" | "problem"> & {
  folders: string[];
  files: string[];
  standing: WorkspaceBaseline;
};

/**
 * With more repositories in one workspace, only the workspace's own allows commits, because the time for mounts grows
 * with the square of their number.
 */
const MAX_OPEN = 30;

/** The protected and hidden files of a root. Never throws. */
export async function rootFinds(
  root: string,
  walk: WorkspaceWalk,
  isPlaceholder: (path: string) => boolean,
): Promise<RootFinds> {
  const { repositories, fixed, secrets, links, problem } = await walk.look();
  const isMany = repositories.length > MAX_OPEN;
  const closed = repositories.filter((path) => isPlaceholder(path) || (isMany && path !== join(root, ".git")));
  const open = repositories.filter((path) => !closed.includes(path));
  const code = await Promise.all(open.map(gitCode));
  const gitFolders = code.flatMap(({ folders }) => folders);
  return {
    ...(problem === undefined ? {} : { problem }),
    standing: { fixed, secrets, repositories, open, gitFolders, runs: await runsOf(gitFolders) },
    fixed: [...fixed, ...closed, ...code.flatMap((each) => each.fixed)],
    secrets,
    links,
    folders: [...VACANT_FOLDERS.map((name) => join(root, name)), ...code.flatMap(({ hooks }) => hooks)],
    files: [...WATCHED_FILES.map((name) => join(root, name)), ...code.flatMap(({ files }) => files)],
  };
}

/** Our keys and settings. Conversations stay visible: long outputs are stored there, and may be searched. */
async function ownSecrets(configFolder: string): Promise<string[]> {
  const names = await readdir(configFolder).catch(() => []);
  return names.filter((name) => name !== "conversations").map((name) => join(configFolder, name));
}

/** Folders that the sandbox has its own version of; their contents outside cannot be reached anyway. */
const OWN_FOLDERS = ["/run", "/tmp", "/var/tmp", "/dev", "/proc", "/sys"];

/**
 * Sockets of programs outside (agents, daemons, containers): a command could use them to do what the sandbox forbids,
 * and a read-only file system does not prevent that. Sockets in the workspace are allowed.
 */
async function foreignSockets(inRoots: (path: string) => boolean): Promise<string[]> {
  const table = await readFile("/proc/net/unix", "utf8").catch(() => "");
  const paths = [...table.matchAll(/ (\/.*)$/gm)].map(([, path]) => path ?? "");
  return [...new Set(paths)].filter((path) => !OWN_FOLDERS.some((own) => isWithin(path, own)) && !inRoots(path));
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(real.filter((path) => path !== undefined))];
}

/** The missing paths, without links in them: a link found there later was created afterwards. */
async function missingPaths(paths: readonly string[]): Promise<string[]> {
  const there = await Promise.all(paths.map((path) => lstat(path).then(yes, no)));
  const absent = paths.filter((_path, i) => !there[i]);
  return [...new Set(await Promise.all(absent.map(realPathOf)))];
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then((info) => info.isDirectory(), no);
}

const yes = () => true;
const no = () => false;

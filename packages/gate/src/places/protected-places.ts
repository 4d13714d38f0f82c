import { relativeTo } from "./path-place.ts";
import { holds, type Place, plainSegment, plainSegments } from "./path-segments.ts";

const shellFiles =
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment";

/**
 * Places where a write could make harness, git, an editor or a shell run code later: asked about in every mode (see the
 * gate's docs, protected paths). Each is matched anywhere in a path.
 */
const protectedPlaces: readonly Place[] = [
  [".git"],
  [".gitmodules"],
  [".gitattributes"],
  [".gitconfig"],
  [".harness"],
  [".tinyharness"],
  [".config", "harness"],
  [".config", "tinyharness"],
  [".local", "share", "harness"],
  [".mcp.json"],
  [".vscode"],
  [".idea"],
  [".husky"],
  [".devcontainer"],
  [".envrc"],
  [".npmrc"],
  [".yarnrc*"],
  [".pnpmfile.cjs"],
  [".cargo", "config*"],
  ["lefthook.*"],
  ["lefthook-local.*"],
  [".lefthook.*"],
  [".lefthook-local.*"],
  [".pre-commit-config.yaml"],
  [".github", "workflows"],
  [".github", "actions"],
  [".cursor"],
  [".claude"],
  [".gemini"],
  ...shellFiles.split(" ").map((name) => [name]),
  [".ssh"],
  [".config", "autostart"],
  [".config", "autostart-scripts"],
  [".config", "environment.d"],
  [".config", "fish"],
  [".config", "git"],
  [".config", "systemd"],
  [".local", "share", "systemd"],
  [".local", "share", "applications"],
  ["library", "launchagents"],
  ["library", "launchdaemons"],
  ["var", "spool", "cron"],
];
/** Protected only at the top of the file system, not by their name in a project. */
const systemFolders = ["etc", "boot", "dev", "proc", "sys"];
const harmlessDevice = /^\/dev\/(?:null|zero|tty|std(?:in|out|err)|fd\/\d+)$/;

/** Is it asked about before every write, in every mode? `root`: the workspace, whose own place does not count. */
export function isProtected(path: string, root: string): boolean {
  if (harmlessDevice.test(path)) return false;
  const inside = relativeTo(root, path);
  if (isSystemPath(path) && (inside === undefined || !isSystemPath(root))) return true;
  return holds(plainSegments(inside ?? path), protectedPlaces);
}

/** Is the path in a system folder at the top of the file system? */
export function isSystemPath(path: string): boolean {
  return systemFolders.includes(plainSegment(path.split("/").find(Boolean) ?? ""));
}

/** The protected places as people write paths. */
export function protectedPlaceNames(): string[] {
  return [...protectedPlaces.map((place) => place.join("/")), ...systemFolders.map((name) => `/${name}`)];
}

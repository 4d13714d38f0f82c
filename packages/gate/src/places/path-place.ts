/** Is the path this folder or in it? By segments, both absolute; says nothing about links. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** The path as seen from the folder, `""` for the folder itself; undefined when it is not below it. */
export function relativeTo(folder: string, path: string): string | undefined {
  if (!isBelow(path, folder)) return undefined;
  return path.slice(folder.length).replace(/^\/+/, "");
}

/** `..`, `.` and doubled slashes taken out of `base` + `path`, by text alone. */
export function resolvePath(base: string, path: string): string {
  const segments: string[] = [];
  for (const each of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (each === "..") segments.pop();
    else if (each !== "" && each !== ".") segments.push(each);
  }
  return `/${segments.join("/")}`;
}

export function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end <= 0 ? "/" : path.slice(0, end);
}

/**
 * Segments of a path, spelt in lower case: text, or text with a `*` at its end for any rest, or `?` for any one segment.
 */
type Place = readonly string[];

const shellFiles =
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment";

/**
 * Where a write could make code of ours, of git, of an editor or of a shell run later: always asked, in every mode
 * (the list: docs of the gate, protected paths). Each is found anywhere in a path.
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
/** Protected by their place at the top, not by their name somewhere in a project. */
const systemFolders = ["etc", "boot", "dev", "proc", "sys"];
const harmlessDevice = /^\/dev\/(?:null|zero|tty|std(?:in|out|err)|fd\/\d+)$/;

/**
 * A segment without what file systems pass over or fold: invisible characters, case, and what Windows cuts off, as in
 * `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`. `ſ` and `K` (Kelvin) are an s and a k to some of them.
 */
function plainSegment(segment: string): string {
  return segment
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/(?<=.):.*$/s, "")
    .replace(/[. ]+$/, "")
    .toUpperCase()
    .toLowerCase();
}

function plainSegments(path: string): string[] {
  return path.split(/[/\\]/).filter(Boolean).map(plainSegment);
}

/** Is it asked about before every write, in every mode? `root`: the workspace, whose own place does not count. */
export function isProtected(path: string, root: string): boolean {
  if (harmlessDevice.test(path)) return false;
  const inside = relativeTo(root, path);
  if (isSystemPath(path) && (inside === undefined || !isSystemPath(root))) return true;
  return holds(plainSegments(inside ?? path), protectedPlaces);
}

/** In a folder of the system by its place at the top. */
export function isSystemPath(path: string): boolean {
  return systemFolders.includes(plainSegment(path.split("/").find(Boolean) ?? ""));
}

function holds(segments: readonly string[], places: readonly Place[]): boolean {
  return segments.some((_, start) =>
    places.some((place) => place.every((name, offset) => isNamed(segments[start + offset], name))),
  );
}

function isNamed(segment: string | undefined, name: string): boolean {
  if (segment === undefined) return false;
  if (segment === name || name === "?") return true;
  if (name.endsWith("*") && segment.startsWith(name.slice(0, -1))) return true;
  return segment.includes("~") && isShortName(segment, name);
}

/**
 * The names of eight letters that Windows gives to longer ones: `GIT~1`, `HARNES~1`, `MCP~1.JSO`, and `GI7EBA~1` where
 * such a name was taken.
 */
function isShortName(segment: string, name: string): boolean {
  const [, stem = "", ending = ""] = /^([^~]*)~\d+(?:\.(.*))?$/.exec(segment) ?? [];
  const plain = name.replace(/^\.+|\*$/g, "");
  const dot = plain.lastIndexOf(".");
  const base = (dot < 0 ? plain : plain.slice(0, dot)).replaceAll(".", "").slice(0, 6);
  if (!name.endsWith("*") && ending !== (dot < 0 ? "" : plain.slice(dot + 1, dot + 4))) return false;
  if (stem === base || (stem.length >= 4 && base.startsWith(stem))) return true;
  return /^..[0-9a-f]{4}$/.test(stem) && base.startsWith(stem.slice(0, 2));
}

const secretNames: readonly RegExp[] = [
  /^\.env(?!.*(?:example|sample|template))/,
  /\.(?:pem|key|p12|pfx|kdbx|jks|keystore|ovpn)$/,
  /^id_[^.]*$/,
  /^(?:[._]netrc|\.(?:npmrc|pypirc|git-credentials|pgpass|htpasswd|my\.cnf|vault-token|dockercfg))$/,
  /^credentials[^.]*(?:\.(?:json|ya?ml|toml|ini|csv|xml|txt|db|cfg|conf))?$/,
  /^service-account.*\.json$/,
  /^(?:\.[a-z_]+_history|\.history|\.zhistory|\.histfile|fish_history|consolehost_history\.txt)$/,
];
const secretPlaces: readonly Place[] = [
  [".ssh"],
  [".aws"],
  [".azure"],
  [".gnupg"],
  [".kube"],
  [".docker"],
  ["gcloud"],
  [".password-store"],
  [".config", "gh"],
  [".local", "share", "keyrings"],
  ["library", "keychains"],
  // What browsers keep: passwords and cookies.
  [".mozilla"],
  [".thunderbird"],
  [".config", "google-chrome*"],
  [".config", "chromium"],
  [".config", "microsoft-edge*"],
  [".config", "bravesoftware"],
  ["application support", "google", "chrome*"],
  ["application support", "firefox"],
  ["library", "safari"],
  ["library", "cookies"],
  // The environment of a process, with whatever keys are in it.
  ["proc", "?", "environ"],
];

/** Files that hold keys and passwords by their name or place; asked about even for reading. */
export function isSecret(path: string): boolean {
  const segments = plainSegments(path);
  const name = segments.at(-1) ?? "";
  return secretNames.some((each) => each.test(name)) || holds(segments, secretPlaces);
}

/** The innermost of these folders that holds the path; the first one where none does. */
export function rootOf(path: string, roots: readonly string[]): string {
  const holding = roots.filter((root) => isBelow(path, root)).sort((a, b) => b.length - a.length);
  return holding[0] ?? roots[0] ?? "/";
}

/** Both lists by place, as people write paths; what is secret by its name alone is not among them. */
export function guardedPlaces(): { protectedPlaces: string[]; secretPlaces: string[] } {
  const written = (places: readonly Place[]) => places.map((place) => place.join("/").replaceAll("?", "*"));
  return {
    protectedPlaces: [...written(protectedPlaces), ...systemFolders.map((name) => `/${name}`)],
    secretPlaces: written(secretPlaces),
  };
}

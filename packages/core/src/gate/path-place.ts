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

type SegmentPattern = readonly (string | RegExp)[];

/**
 * Where a write could make code of ours, of git, of an editor or of a shell run later: always asked, in every mode
 * (the list: docs of the gate, protected paths). Spelt in lower case; each entry is a run of segments.
 */
const protectedPlaces: readonly SegmentPattern[] = [
  [/^\.git$|^git~\d+$/],
  [".gitmodules"],
  [".gitattributes"],
  [".gitconfig"],
  [".harness"],
  [".config", "harness"],
  [".local", "share", "harness"],
  [".mcp.json"],
  [".vscode"],
  [".idea"],
  [".husky"],
  [".devcontainer"],
  [".envrc"],
  [".npmrc"],
  [/^\.yarnrc/],
  [".github", "workflows"],
  [/^\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc)$/],
  [".ssh"],
  [".config", /^(?:autostart|systemd|fish|git)$/],
  ["library", "launchagents"],
];
/** Protected by their place at the top, not by their name somewhere in a project. */
const systemFolders = ["etc", "boot", "dev", "proc", "sys"];
const harmlessDevice = /^\/dev\/(?:null|zero|tty|std(?:in|out|err)|fd\/\d+)$/;

/** Invisible characters, and what file systems of other systems cut off or fold: `.GIT`, `.git.`, `.git::$DATA`. */
function plainSegment(segment: string): string {
  return segment
    .normalize("NFC")
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .replace(/::?\$.*$/, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}

export function isProtected(path: string, root: string): boolean {
  if (harmlessDevice.test(path)) return false;
  const inside = relativeTo(root, path);
  if (inside === undefined && isSystemPath(path)) return true;
  const segments = (inside ?? path).split("/").filter(Boolean).map(plainSegment);
  return protectedPlaces.some((pattern) =>
    segments.some((_, start) => pattern.every((part, offset) => fits(part, segments[start + offset]))),
  );
}

/** In a folder of the system by its place at the top. */
export function isSystemPath(path: string): boolean {
  return systemFolders.includes(plainSegment(path.split("/").find(Boolean) ?? ""));
}

function fits(part: string | RegExp, segment: string | undefined): boolean {
  if (segment === undefined) return false;
  return typeof part === "string" ? part === segment : part.test(segment);
}

const secretNames: readonly RegExp[] = [
  /^\.env(?!.*(?:example|sample|template))/,
  /\.(?:pem|key|p12|pfx|kdbx|jks|keystore|ovpn)$/,
  /^id_[^.]*$/,
  /^(?:[._]netrc|\.(?:npmrc|pypirc|git-credentials|pgpass|htpasswd|my\.cnf|vault-token))$/,
  /^credentials[^.]*(?:\.(?:json|ya?ml|toml|ini|csv|xml|txt|db|cfg|conf))?$/,
  /^service-account.*\.json$/,
  /^\.[a-z_]+_history$/,
];
const secretFolders = [".ssh", ".aws", ".gnupg", ".kube", ".docker", "gcloud"];

/** Files that hold keys and passwords by their name; asked about even for reading. */
export function isSecret(path: string): boolean {
  const segments = path.split("/").filter(Boolean).map(plainSegment);
  const name = segments.at(-1) ?? "";
  return secretNames.some((each) => each.test(name)) || segments.some((each) => secretFolders.includes(each));
}

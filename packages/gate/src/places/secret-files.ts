import { PlacePatterns, plainSegments } from "./path-segments.ts";

/** Globs of names with this start and no dot after it, one for each length, as most programs cannot negate a glob. */
const withoutDot = (start: string, least: number) =>
  Array.from({ length: 16 }, (_, index) => start + "[!.]".repeat(least + index));

/**
 * Names of files that hold keys, passwords or text that the user has typed. `name` decides; the `globs` are for
 * programs that skip such files, and cover at least as much. `shown`: a shorter form for display.
 */
const secretNames: readonly { name: RegExp; globs: readonly string[]; shown?: string }[] = [
  { name: /^\.env(?!.*(?:example|sample|template))/, globs: [".env*"] },
  {
    name: /\.(?:pem|key|p12|pfx|kdbx|jks|keystore|ovpn|ppk)$/,
    globs: "*.pem *.key *.p12 *.pfx *.kdbx *.jks *.keystore *.ovpn *.ppk".split(" "),
  },
  {
    name: /^id_[^.]*$/,
    shown: "id_*",
    globs: ["id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ...withoutDot("id_", 1)],
  },
  {
    name: /^(?:[._]netrc|\.(?:npmrc|pypirc|git-credentials|pgpass|htpasswd|my\.cnf|vault-token|dockercfg|boto|s3cfg|auth(?:-cache)?\.json))$/,
    globs:
      ".netrc _netrc .npmrc .pypirc .git-credentials .pgpass .htpasswd .my.cnf .vault-token .dockercfg .boto .s3cfg .auth.json .auth-cache.json".split(
        " ",
      ),
  },
  {
    shown: "credentials*",
    name: /^credentials[^.]*(?:\.(?:json|ya?ml|toml|ini|csv|xml|txt|db|cfg|conf))?$/,
    globs: [
      ..."json y*ml toml ini csv xml txt db c*f*".split(" ").map((end) => `credentials*.${end}`),
      ...withoutDot("credentials", 0),
    ],
  },
  { name: /^service-account.*\.json$/, globs: ["service-account*.json"] },
  {
    name: /^(?:\.[a-z_]+_history|\.history|\.zhistory|\.histfile|fish_history|consolehost_history\.txt)$/,
    globs: ".*_history .history .zhistory .histfile fish_history consolehost_history.txt".split(" "),
  },
];

/** Folders and files that are secret because of their location, as written; see `Place` for `*` and `?`. */
const secretPlaces: readonly string[] = [
  ...[".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", "gcloud", ".password-store", ".config/gh"],
  ...[".terraform.d", ".config/hub", ".config/op", ".config/doctl", ".config/rclone", ".config/sops"],
  ...[".local/share/keyrings", "Library/Keychains"],
  // Browsers store passwords and cookies there.
  ...[".mozilla", ".thunderbird", ".config/google-chrome*", ".config/chromium", ".config/microsoft-edge*"],
  ...[".config/BraveSoftware", "Application Support/Google/Chrome*", "Application Support/Firefox"],
  ...["Library/Safari", "Library/Cookies"],
  // The environment of a process may hold keys.
  "proc/?/environ",
];
const secretTable = new PlacePatterns(secretPlaces.map((place) => place.toLowerCase().split("/")));

/** Files that hold keys and passwords, judging by their name or place; even reading them is asked about. */
export function isSecret(path: string): boolean {
  const segments = plainSegments(path);
  const name = segments.at(-1) ?? "";
  return secretNames.some((each) => each.name.test(name)) || secretTable.isIn(segments);
}

/** Secret names and folders as single-name globs, for programs that skip them; at least as wide as `isSecret`. */
export const secretGlobs: Readonly<{ files: readonly string[]; folders: readonly string[] }> = {
  files: secretNames.flatMap(({ globs }) => globs),
  folders: secretPlaces.filter((place) => !place.includes("/")),
};

/** All secret names and places at any depth, as git pathspecs: `magic` is their magic signature. */
export function secretPathspecs(magic: string): string[] {
  const places = secretPlaces.map((place) => `${place.replaceAll("?", "*")}/**`);
  return [...secretGlobs.files, ...places].map((glob) => `:(${magic})**/${glob}`);
}

/**
 * True if a file pattern asks for secrets, as `.e*` and `id_r*` do. One that matches all files, or all with an
 * unspecific beginning or ending, does not.
 */
export function mayNameSecret(pattern: string): boolean {
  const segments = pattern.toLowerCase().split("/");
  return segments.some((segment, at) => {
    if (!/[*?[]/.test(segment) || /\s/.test(segment) || segment.length > 100) return false;
    const isLast = at === segments.length - 1;
    const ending = segment.slice(segment.lastIndexOf(".") + 1);
    if (isLast && /\.[^.]*[a-z0-9][^.]*$/.test(segment) && secretEndings.some((each) => globsMeet(ending, each)))
      return true;
    const [start = ""] = segment.split(/[*?[]/);
    const names = isLast ? secretStarts : secretGlobs.folders;
    if (/^\.|../.test(start)) return names.some((name) => globsMeet(segment, name));
    const literalLength = segment.replace(anySign, "").length;
    if (start !== "" || literalLength < 3 || /^\*+\.[^*?[]*$/.test(segment)) return false;
    return names.some((name) => globsMeet(segment, name.replace(/\*$/, "")));
  });
}

/** True if some name matches both patterns. A wildcard does not match a leading dot. */
export function globsMeet(some: string, other: string): boolean {
  if (beginsOtherwise(some, other)) return false;
  const [a, b] = [globSigns(some), globSigns(other)];
  if ((isAny(a[0]) && b[0] === ".") || (isAny(b[0]) && a[0] === ".")) return false;
  /** For each suffix of `b`: whether it meets the current suffix of `a`. */
  let row = [...b.map((_, at) => b.slice(at).every((sign) => sign === "*")), true];
  for (const sign of a.toReversed()) {
    const next: boolean[] = [];
    for (let at = b.length; at >= 0; at -= 1) {
      const against = b[at];
      const skips = (sign === "*" && row[at]) || (against === "*" && next[at + 1]);
      const takes =
        against !== undefined &&
        (sign === "*" ? next[at + 1] : against === "*" ? row[at] : meet(sign, against) && row[at + 1]);
      next[at] = skips || takes || false;
    }
    row = next;
  }
  return row[0] === true;
}

/** A quick check that rules out most pairs. */
function beginsOtherwise(some: string, other: string): boolean {
  for (let at = 0; at < some.length && at < other.length; at += 1) {
    const [a = "", b = ""] = [some[at], other[at]];
    if (/[*?[]/.test(a + b)) return false;
    if (a !== b) return true;
  }
  return false;
}

/** `[ab]`, `[[:alpha:]]` and the like. */
const brackets = String.raw`\[(?:\[([:.=])[^\]]{0,40}\1\]|[^\]]){0,200}\]`;
const globSign = new RegExp(String.raw`${brackets}|[\s\S]`, "g");
const anySign = new RegExp(`${brackets}|[*?]`, "g");

function globSigns(glob: string): string[] {
  return [...glob.replace(/\*+/g, "*").matchAll(globSign)].map(([sign]) => (sign.length > 1 ? "?" : sign));
}

const isAny = (sign: string | undefined) => sign === "*" || sign === "?";
const meet = (some: string, other: string) => some === other || some === "?" || other === "?";

const secretEndings = secretGlobs.files.flatMap((glob) => (glob.startsWith("*.") ? [glob.slice(2)] : []));
const secretStarts = [...secretGlobs.files.filter((glob) => !glob.startsWith("*")), ...secretGlobs.folders];

/** The glob with both cases of each letter, for programs without a case-insensitive flag. */
export function inAnyCase(glob: string): string {
  return glob.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Fewer and wider globs, for searches that find candidates for `isSecret`. */
export function secretCandidates(): string[] {
  return [...new Set(secretGlobs.files.map((glob) => glob.replace(/(?:\[!\.\])+$/, "*")))];
}

/** Secret paths in a home folder with fixed names. */
export function secretsOfHome(): string[] {
  const places = secretPlaces.filter((place) => !place.includes("?")).map((place) => place.replace(/\*$/, ""));
  return [
    ...secretGlobs.files.filter((glob) => !/[*?[]/.test(glob)),
    ...places.map((place) => place.replace(/^gcloud$/, ".config/gcloud").replace(/^Application Support/, "Library/$&")),
  ];
}

/** Names of secret files as people write them. */
export function secretFileNames(): string[] {
  return secretNames.flatMap(({ globs, shown }) => shown ?? globs);
}

/** The secret places as people write paths, without those that are secret by name alone. */
export function secretPlaceNames(): string[] {
  return secretPlaces.map((place) => place.toLowerCase().replaceAll("?", "*"));
}

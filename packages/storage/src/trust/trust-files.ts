import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "@harness/gate";
import { digestOf, errorCode, readRegularFile, realPathOrSame } from "@harness/host";
import { belowRoot, namedFiles, namedPart } from "./named-files.ts";
import { claudePart, geminiPart } from "./settings-part.ts";
import { isClaudeSettings, isGeminiSettings, trustKind, trustNames, withoutFolder } from "./trust-kind.ts";
import type { TrustRoot } from "./trust-root.ts";

/** A file that would run, or change what harness does. */
export type TrustFile = {
  /** The folder it belongs to, and its path; both relative to the root. */
  folder: string;
  path: string;
  /** The hash of its kind, mode and content. */
  sha256: string;
  /** True if it decides whether calls may run: while it is off, they wait for the user. */
  judges?: true | undefined;
};

/** A file as found, with its description. */
export type FoundFile = TrustFile & {
  mode: number;
  /** Absent if it cannot be read; `why` gives the reason. */
  content?: Buffer;
  why?: string;
  /** The target of a link; `outside`: it is outside the root, so the link is not followed. */
  link?: { target: string; outside: boolean };
};

export type TrustFiles = {
  files: TrustFile[];
  /** All examined paths, existing or not, absolute: while these stay the same, so does the result. */
  looked: string[];
  /** Why this folder cannot be trusted at all, as a sentence. */
  tooMuch?: string;
};

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 2_000;
/** Includes folders, and names that lead to the same folder. */
const MAX_LOOKS = 5_000;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const PERMISSIONS = 0o7777;

/** Real paths of the user's own files, which need no trust wherever they are. */
export type OwnFolders = {
  /** Folders that are not examined: each of the user's `.harness` folders, and their folders for other programs. */
  harness: ReadonlySet<string>;
  /** Folders whose `.env` belongs to the user. */
  env: ReadonlySet<string>;
};

export type TrustReading = {
  own: OwnFolders;
  home: string;
  /** The names and values in a `.env` file that have an effect. */
  envUsed(text: string): readonly (readonly [name: string, value: string])[];
  onFile?: ((file: FoundFile) => void) | undefined;
};

/** Reads everything relevant in a place. Links are only followed within the root. Never throws. */
export function readTrustFiles(place: TrustRoot, reading: TrustReading): TrustFiles {
  const walk = new TrustWalk(place.root, reading);
  for (const folder of place.folders) if (!walk.tooMuch) walk.folder(folder);
  walk.namedFiles();
  walk.markJudges();
  const { files, looked, tooMuch } = walk;
  return { files, looked, ...(tooMuch === undefined ? {} : { tooMuch }) };
}

/** Identifies exactly these files in this state. */
export function hashOfFiles(files: readonly TrustFile[]): string {
  const lines = files.map(({ path, sha256 }) => JSON.stringify([path, sha256]));
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}

type Visit = {
  folder: string;
  path: string;
  /** The real path of its parent folder. */
  parent: string;
  name: string;
  /** True if another file names it as a program to run. */
  isNamed?: true;
};

class TrustWalk {
  files: TrustFile[] = [];
  readonly looked: string[] = [];
  tooMuch: string | undefined;
  readonly #root: string;
  readonly #reading: TrustReading;
  #bytes = 0;
  /** Absolute paths that the files found so far name as programs to run. */
  readonly #named = new Set<string>();
  /** The files among them that judge calls. */
  readonly #judging = new Set<string>();
  /** The folders above the current one: a link back to one of them would never end. */
  readonly #above: string[] = [];

  constructor(root: string, reading: TrustReading) {
    this.#root = root;
    this.#reading = reading;
  }

  folder(folder: string): void {
    const place = join(this.#root, folder);
    for (const name of trustNames) {
      if (name === ".env" && this.#reading.own.env.has(place)) continue;
      const [first = name] = name.split("/");
      if (this.#reading.own.harness.has(realPathOrSame(join(place, first)))) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      this.#visit({ folder, path, parent: place, name });
    }
  }

  /** Call after the folders: reads the files that their hooks and MCP servers run. */
  namedFiles(): void {
    for (const file of this.#named) {
      const path = belowRoot(this.#root, file);
      const isKnown = path === undefined || this.files.some((each) => each.path === path);
      if (!isKnown && path !== undefined) {
        this.#visit({ folder: "", path, parent: dirname(file), name: basename(file), isNamed: true });
      }
    }
  }

  /** Call at the end: a file may be named after it was found. */
  markJudges(): void {
    this.files = this.files.map((file) => {
      const isJudge = isStageJudge(file.path) || this.#judging.has(join(this.#root, file.path));
      return isJudge ? { ...file, judges: true } : file;
    });
  }

  #visit(visit: Visit): void {
    if (this.tooMuch !== undefined) return;
    const place = join(this.#root, visit.path);
    this.looked.push(place);
    if (this.looked.length > MAX_LOOKS) this.#stop(`more than ${MAX_LOOKS.toLocaleString("en-US")} names`);
    let stat: Stats | undefined;
    let real: string | undefined;
    try {
      stat = lstatSync(place, { throwIfNoEntry: false });
      if (!stat) return;
      real = realpathSync(place);
    } catch (error) {
      const isDangling = stat?.isSymbolicLink() && isMissing(error);
      if (!isDangling && !isMissing(error)) this.#add(visit, { why: `cannot be read (${errorCode(error)})` });
      if (!isDangling) return;
    }
    if (real !== undefined && this.#reading.own.harness.has(real)) return;
    const isLink = stat?.isSymbolicLink() || real !== join(visit.parent, visit.name);
    if (isLink) this.#followLink(visit, place, real);
    else if (real !== undefined) this.#take(visit, real, {});
  }

  #followLink(visit: Visit, place: string, real: string | undefined): void {
    const target = readLink(place) ?? real ?? "";
    const isInside = real !== undefined && isWithin(real, this.#root);
    if (isInside) this.#take(visit, real, { link: { target, outside: false } });
    else if (real === undefined) this.#add(visit, { link: { target, outside: false }, why: "leads to nothing" });
    else this.#add(visit, { link: { target, outside: true } });
  }

  /** Adds the file or folder at a real path within the root. */
  #take(visit: Visit, real: string, led: Pick<FoundFile, "link">): void {
    try {
      const stat = lstatSync(real);
      const mode = stat.mode & PERMISSIONS;
      // A folder with this name is most likely a Python environment, which is not read.
      if (stat.isDirectory() && (isEnv(visit) || isSessions(visit))) return;
      if (stat.isDirectory()) this.#enter(visit, real, led);
      else if (!stat.isFile()) this.#add(visit, { ...led, mode, why: "is not a regular file" });
      else if (stat.size > MAX_FILE_BYTES && visit.isNamed) this.#addLarge(visit, real, { ...led, mode });
      else if (stat.size > MAX_FILE_BYTES) this.#stop(`${JSON.stringify(visit.path)}, which is larger than 1 MB`);
      else
        this.#add(visit, {
          ...led,
          mode,
          content: readRegularFile(real, { maxBytes: MAX_FILE_BYTES, followLinks: false }),
        });
    } catch (error) {
      this.#add(visit, { ...led, why: `cannot be read (${errorCode(error) ?? String(error)})` });
    }
  }

  #enter(visit: Visit, real: string, led: Pick<FoundFile, "link">): void {
    if (this.#above.includes(real)) {
      this.#add(visit, { ...led, why: "leads back to a folder that contains it" });
      return;
    }
    const names = readdirSync(real).sort();
    this.#above.push(real);
    for (const name of names) {
      this.#visit({ ...visit, path: `${visit.path}/${name}`, parent: real, name });
    }
    this.#above.pop();
  }

  /** A compiled program, which is too large to show. */
  #addLarge(visit: Visit, real: string, led: Pick<FoundFile, "link" | "mode">): void {
    const sum = digestOf(real);
    this.#add(visit, { ...led, why: `is larger than 1 MB (SHA-256 ${sum})` });
  }

  #add(visit: Visit, found: Partial<Omit<FoundFile, keyof TrustFile>>): void {
    const { folder, path } = visit;
    const { mode = 0, content, why, link } = found;
    const matters = content && this.#usedOf(visit, content);
    if (content && !matters) return;
    if (content && !visit.isNamed) this.#name(visit, content);
    this.#bytes += content?.length ?? 0;
    if (this.files.length >= MAX_FILES) this.#stop(`more than ${MAX_FILES.toLocaleString("en-US")} files`);
    if (this.#bytes > MAX_TOTAL_BYTES) this.#stop("more than 32 MB");
    if (this.tooMuch !== undefined) return;
    const inner = matters ? createHash("sha256").update(matters).digest("hex") : null;
    const state = JSON.stringify([mode, inner, why ?? null, link ? [link.target, link.outside] : null]);
    const file = { folder, path, sha256: createHash("sha256").update(state).digest("hex") };
    this.files.push(file);
    this.#reading.onFile?.({ ...file, ...found, mode });
  }

  #name(visit: Visit, content: Buffer): void {
    const folder = join(this.#root, visit.folder);
    const place = { folder, home: this.#reading.home };
    const path = withoutFolder(visit);
    const text = content.toString("utf8");
    const isJudge = trustKind(path) === "hook" && path.endsWith(".json") && text.includes("PreToolUse");
    if (isJudge) this.#judging.add(join(this.#root, visit.path));
    for (const file of namedFiles(path, text, place)) {
      this.#named.add(file);
      if (isJudge) this.#judging.add(file);
    }
  }

  /** Equal results mean equal effects; undefined: no effect. */
  #usedOf(visit: Visit, content: Buffer): Buffer | string | undefined {
    if (visit.isNamed) return namedPart(visit.path, content);
    const path = withoutFolder(visit);
    if (isClaudeSettings(path)) return claudePart(content.toString("utf8"));
    if (isGeminiSettings(path)) return geminiPart(content.toString("utf8"));
    if (!isEnv(visit)) return content;
    const used = this.#reading.envUsed(content.toString("utf8"));
    return used.length === 0 ? undefined : JSON.stringify(used);
  }

  #stop(what: string): void {
    this.tooMuch ??= `${this.#root} contains too much to be trusted: ${what}. Move some of it elsewhere.`;
  }
}

/** A hook that runs for each call, or its limits. */
function isStageJudge(path: string): boolean {
  return /(?:^|\/)hooks\.d\/tool_exec\/[^/]+$/.test(path);
}

/** Sessions are conversations: nothing in them runs, and each message would end the trust. */
function isSessions(visit: Visit): boolean {
  return withoutFolder(visit) === ".harness/sessions";
}

function isEnv(visit: Visit): boolean {
  return trustKind(withoutFolder(visit)) === "environment";
}

/** The target of a link; undefined for a path that is only reached through a link. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

import { readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "@harness/core";
import { readRegularFile } from "@harness/host";
import { keyNames, NO_SECRETS, withSecretAccess } from "../vendors/secret-access.ts";
import { builtInVendors, createRegistry, type VendorRegistry } from "../vendors/vendor-registry.ts";
import { vendors } from "../vendors/vendors.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { SecretAccess, Vendor } from "../wires/endpoint/vendor.ts";
import { programSettings, protocolProblem, readConf } from "./conf-vendor.ts";
import { programId } from "./program-id.ts";
import { type ProgramVariant, variantVendor } from "./program-variant.ts";

export type VendorLocations = {
  folders: readonly string[];
  projects?: {
    folders: readonly string[];
    isTrusted(path: string): boolean;
    /**
     * The secrets that the user granted a trusted file; undefined: the file is the user's own, and gets what it names.
     */
    granted(path: string): readonly string[] | undefined;
  };
  env: Env;
  clock: Clock;
};

/** `granted`: for a project's file. `beside`: a program's `.conf` file, or a `.conf` file's program. */
type FoundFile = { path: string; granted?: readonly string[] | undefined; beside?: string | undefined };
type VendorReading = { vendor?: Vendor; variant?: ProgramVariant; problems: string[] };

const MAX_CONF_BYTES = 64 * 1024;
const CONF = ".conf";
const EXECUTABLE = 0o111;
const WRITABLE_BY_ALL = 0o002;

/**
 * The built-in rows, and the rows of `.conf` files and executables in folders. Each folder is read in name order, and
 * later rows replace earlier ones with the same id. `folders` are the user's own: their content decides where requests
 * go and which programs run. `projects` are read after them, and only trusted files count. A file is read again if it
 * has changed. Never throws.
 */
export class VendorFiles {
  /** The reading of a file by its state (`stamp`). */
  readonly #readings = new Map<string, { stamp: string; reading: Promise<VendorReading> }>();

  async load({ folders, projects, env, clock }: VendorLocations): Promise<VendorRegistry> {
    const theirs = projects?.folders.flatMap(filesOf).filter((path) => projects.isTrusted(path)) ?? [];
    const files: FoundFile[] = inPairs([
      ...folders.flatMap(filesOf).map((path) => ({ path })),
      ...theirs.map((path) => ({ path, granted: projects?.granted(path) })),
    ]);
    const read = await Promise.all(files.map(async (file) => ({ ...file, ...(await this.#read(file, env, clock)) })));
    const found = withVariants(read);
    if (found.length === 0) return builtInVendors;
    const rows = new Map(vendors.map((vendor) => [vendor.id, vendor]));
    const keys = keyNames([
      ...vendors,
      ...found.flatMap(({ vendor, granted }) => (vendor && !granted ? [vendor] : [])),
    ]);
    for (const { vendor, granted } of found) {
      if (vendor) rows.set(vendor.id, granted ? withSecretAccess(vendor, { granted, keys, env }) : vendor);
    }
    return createRegistry(
      [...rows.values()],
      found.flatMap(({ problems }) => problems),
    );
  }

  #read({ path, granted, beside }: FoundFile, env: Env, clock: Clock): Promise<VendorReading> {
    const stat = statOf(path);
    if (stat === undefined) return Promise.resolve({ problems: [] });
    const stamp = `${stampOf(stat)} ${stampOf(beside === undefined ? undefined : statOf(beside))}`;
    const known = this.#readings.get(path);
    if (known?.stamp === stamp) return known.reading;
    const reading = readNew(path, stat, { env, clock, beside, ...(granted && { secrets: NO_SECRETS }) });
    this.#readings.set(path, { stamp, reading });
    return reading;
  }
}

/**
 * Adds the rows of files whose protocol is a program. Access denied to a project's file or to its program is denied to
 * both together.
 */
function withVariants(read: readonly (FoundFile & VendorReading)[]): (FoundFile & VendorReading)[] {
  return read.map((each) => {
    const { variant, granted, problems } = each;
    if (!variant) return each;
    const program = read.findLast(({ vendor }) => vendor?.program !== undefined && vendor.id === variant.program);
    if (!program?.vendor) return { ...each, problems: [...problems, `${variant.file}: ${protocolProblem()}`] };
    const both =
      granted && program.granted
        ? granted.filter((name) => program.granted?.includes(name))
        : (granted ?? program.granted);
    return { ...each, granted: both, vendor: variantVendor(variant, program.vendor) };
  });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function stampOf(stat: Stats | undefined): string {
  return stat ? [stat.mtimeMs, stat.ctimeMs, stat.size, stat.mode, stat.ino].join(" ") : "";
}

/** A program and the `.conf` file with its name in the same folder belong together. */
function inPairs(files: readonly FoundFile[]): FoundFile[] {
  const confs = new Set(files.map(({ path }) => path).filter(isConf));
  const runnable = files.filter(({ path }) => !isConf(path) && ((statOf(path)?.mode ?? 0) & EXECUTABLE) !== 0);
  const programs = new Map(runnable.map(({ path }) => [confOf(path), path]));
  return files.map((file) => {
    const conf = confOf(file.path);
    return { ...file, beside: isConf(file.path) ? programs.get(file.path) : confs.has(conf) ? conf : undefined };
  });
}

function isConf(path: string): boolean {
  return path.endsWith(CONF);
}

function confOf(program: string): string {
  return join(dirname(program), `${programId(program)}${CONF}`);
}

function filesOf(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith(".") && !name.endsWith("~"));
    return names.sort().map((name) => join(folder, name));
  } catch {
    // Most people have no such folder.
    return [];
  }
}

type VendorFileOptions = { env: Env; clock: Clock; beside: string | undefined; secrets?: SecretAccess };

async function readNew(path: string, stat: Stats, { beside, ...asking }: VendorFileOptions): Promise<VendorReading> {
  if (!stat.isFile() || (!isConf(path) && (stat.mode & EXECUTABLE) === 0)) return { problems: [] };
  const problem = distrust(path, stat);
  if (problem !== undefined) return { problems: [problem] };
  if (!isConf(path)) {
    const { readProgram } = await import("./program-vendor.ts");
    return readProgram(path, { ...asking, settings: settingsIn(beside) });
  }
  const conf = textOf(path);
  if (conf.text === undefined) return { problems: [conf.problem] };
  const settings = beside === undefined ? undefined : programSettings(conf.text, path);
  if (settings) return { problems: settings.problems };
  return readConf(basename(path, CONF), conf.text, path);
}

/** Why a file is not read at all. */
function distrust(path: string, stat: Stats): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (stat.uid !== user && stat.uid !== 0) return `${path} belongs to another user and was not read.`;
  if ((stat.mode & WRITABLE_BY_ALL) === 0) return undefined;
  return `${path} can be changed by every user and was not read. Run chmod o-w on it.`;
}

/** The settings in the `.conf` file next to a program. Its problems are reported with the file itself. */
function settingsIn(conf: string | undefined): ReadonlyMap<string, string> {
  const stat = conf === undefined ? undefined : statOf(conf);
  if (conf === undefined || !stat?.isFile() || distrust(conf, stat) !== undefined) return new Map();
  return programSettings(textOf(conf).text ?? "", conf)?.values ?? new Map();
}

function textOf(path: string): { text: string; problem?: never } | { text?: never; problem: string } {
  try {
    return { text: readRegularFile(path, { maxBytes: MAX_CONF_BYTES, followLinks: true }).toString("utf8") };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: `${path} could not be read (${code ?? message}).` };
  }
}

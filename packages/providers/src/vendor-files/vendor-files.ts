import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@harness/core";
import { readRegularFile } from "@harness/host";
import { keyNames, NO_SECRETS, withSecretAccess } from "../vendors/secret-access.ts";
import { builtInVendors, registryOf, type VendorRegistry } from "../vendors/vendor-registry.ts";
import { vendors } from "../vendors/vendors.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { SecretAccess, Vendor } from "../wires/endpoint/vendor.ts";
import { readConf } from "./conf-vendor.ts";

export type VendorPlaces = {
  folders: readonly string[];
  projects?: {
    folders: readonly string[];
    isTrusted(path: string): boolean;
    /** The secrets that the person granted a trusted file; undefined: it is the person's own, and gets what it names. */
    granted(path: string): readonly string[] | undefined;
  };
  env: Env;
  clock: Clock;
};

/** `granted`: for a project's file. */
type FoundFile = { path: string; granted?: readonly string[] | undefined };
type Reading = { vendor?: Vendor; problems: string[] };

const MAX_CONF_BYTES = 64 * 1024;
const EXECUTABLE = 0o111;
const WRITABLE_BY_ALL = 0o002;

/**
 * The built-in rows and those of `.conf` files and executables in folders. Each folder is read in order of names, and
 * later rows replace earlier ones with the same id. `folders` are the person's own: their content decides where
 * requests go and what is run. `projects` are read after them, and only trusted files count. A file is read again when
 * it has changed. Never throws.
 */
export class VendorFiles {
  /** The reading of a file by its state (`stamp`). */
  readonly #readings = new Map<string, { stamp: string; reading: Promise<Reading> }>();

  async load({ folders, projects, env, clock }: VendorPlaces): Promise<VendorRegistry> {
    const theirs = projects?.folders.flatMap(filesOf).filter((path) => projects.isTrusted(path)) ?? [];
    const files: FoundFile[] = [
      ...folders.flatMap(filesOf).map((path) => ({ path })),
      ...theirs.map((path) => ({ path, granted: projects?.granted(path) })),
    ];
    const found = await Promise.all(files.map(async (file) => ({ ...file, ...(await this.#read(file, env, clock)) })));
    if (found.length === 0) return builtInVendors;
    const rows = new Map(vendors.map((vendor) => [vendor.id, vendor]));
    const keys = keyNames([
      ...vendors,
      ...found.flatMap(({ vendor, granted }) => (vendor && !granted ? [vendor] : [])),
    ]);
    for (const { vendor, granted } of found) {
      if (vendor) rows.set(vendor.id, granted ? withSecretAccess(vendor, { granted, keys, env }) : vendor);
    }
    return registryOf(
      [...rows.values()],
      found.flatMap(({ problems }) => problems),
    );
  }

  #read({ path, granted }: FoundFile, env: Env, clock: Clock): Promise<Reading> {
    let stat: Stats;
    try {
      stat = statSync(path);
    } catch {
      return Promise.resolve({ problems: [] });
    }
    const stamp = [stat.mtimeMs, stat.ctimeMs, stat.size, stat.mode, stat.ino].join(" ");
    const known = this.#readings.get(path);
    if (known?.stamp === stamp) return known.reading;
    const reading = readNew(path, stat, { env, clock, ...(granted && { secrets: NO_SECRETS }) });
    this.#readings.set(path, { stamp, reading });
    return reading;
  }
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

type Asking = { env: Env; clock: Clock; secrets?: SecretAccess };

async function readNew(path: string, stat: Stats, asking: Asking): Promise<Reading> {
  const isConf = path.endsWith(".conf");
  if (!stat.isFile() || (!isConf && (stat.mode & EXECUTABLE) === 0)) return { problems: [] };
  const user = process.getuid?.();
  if (user !== undefined && stat.uid !== user && stat.uid !== 0) {
    return { problems: [`${path} belongs to another user and was not read.`] };
  }
  if (user !== undefined && (stat.mode & WRITABLE_BY_ALL) !== 0) {
    return { problems: [`${path} can be changed by every user and was not read. Run chmod o-w on it.`] };
  }
  if (!isConf) return (await import("./program-vendor.ts")).readProgram(path, asking);
  if (stat.size > MAX_CONF_BYTES) return { problems: [`${path} is larger than 64 kB and was not read.`] };
  try {
    return readConf(
      path.slice(path.lastIndexOf("/") + 1, -".conf".length),
      readRegularFile(path, { maxBytes: MAX_CONF_BYTES, followLinks: true }).toString("utf8"),
      path,
    );
  } catch (error) {
    return { problems: [`${path} could not be read (${(error as NodeJS.ErrnoException).code}).`] };
  }
}

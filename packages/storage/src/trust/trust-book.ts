import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blockForLock, describeOwner, diskProblem, errorCode, type Lock, replaceFile } from "@harness/host";
import * as z from "zod";
import type { Places } from "../places.ts";
import { ownership, stampOf } from "../policies/policy-source.ts";
import { readJson } from "../settings/json-text.ts";

const Entry = z.object({
  root: z.string(),
  decision: z.enum(["trust", "refuse"]),
  at: z.string(),
  /** Of all the files together. */
  hash: z.string(),
  files: z.array(z.object({ folder: z.string(), path: z.string(), sha256: z.string() })),
});
/** What a person decided about the content of a folder. */
export type TrustEntry = z.infer<typeof Entry>;

const BookFile = z.object({ version: z.literal(1), roots: z.array(Entry) });

const LOCK_WAIT_MS = 2_000;

type Read = { entries: readonly TrustEntry[]; problem?: string; broken?: boolean };

/** `trust.json` of the person: what was decided, by the real path of the root. */
export class TrustBook {
  readonly path: string;
  private known: { stamp: string; read: Read } | undefined;

  constructor({ root }: Pick<Places, "root">) {
    this.path = join(root, "trust.json");
  }

  of(root: string): TrustEntry | undefined {
    return this.look().entries.find((entry) => entry.root === root);
  }

  /** Why no decision is known, and none can be kept; a file that is merely broken is set aside with the next one. */
  get problem(): string | undefined {
    const { problem, broken } = this.look();
    return broken ? undefined : problem;
  }

  /** Keeps what was decided, or forgets it; a sentence when that could not be written. On disk when it returns. */
  change(
    root: string,
    next: (before: TrustEntry | undefined) => TrustEntry | undefined,
  ): { problem: string } | undefined {
    let lock: Lock | undefined;
    try {
      const taken = blockForLock(`${this.path}.lock`, LOCK_WAIT_MS);
      if (!("release" in taken)) {
        const who = describeOwner(taken.owner);
        return { problem: `${this.path} is being changed by another harness (${who}). Nothing was saved. Try again.` };
      }
      lock = taken;
      const { entries, problem, broken = false } = readBook(this.path);
      if (problem !== undefined && !broken) return { problem: `${problem} Nothing was saved.` };
      const entry = next(entries.find((each) => each.root === root));
      const others = entries.filter((each) => each.root !== root);
      const roots = entry ? [...others, entry] : others;
      if (!entry && roots.length === entries.length) return undefined;
      replaceFile(this.path, `${JSON.stringify({ version: 1, roots }, undefined, 1)}\n`, { broken });
      return undefined;
    } catch (error) {
      return { problem: diskProblem(error, "keep what you trust", this.path) };
    } finally {
      lock?.release();
      this.known = undefined;
    }
  }

  private look(): Read {
    const stamp = stampOf(this.path);
    if (this.known?.stamp === stamp) return this.known.read;
    const read = readBook(this.path);
    this.known = { stamp, read };
    return read;
  }
}

/** Never throws. */
function readBook(path: string): Read {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      const problem = stat.isFile() ? ownership(path, stat) : `${path} is not a regular file. Move it away.`;
      if (problem !== undefined) return { entries: [], problem };
      const json = readJson(readFileSync(fd, "utf8"));
      const read = "value" in json ? BookFile.safeParse(json.value) : undefined;
      if (read?.success) return { entries: read.data.roots };
      return { entries: [], broken: true, problem: `${path} cannot be read. It is set aside with the next decision.` };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
    return isMissing ? { entries: [] } : { entries: [], problem: diskProblem(error, "read what you trust", path) };
  }
}

import { join } from "node:path";
import { type Contents, PrivateFile, parseJson, writtenByOwnerOnly } from "@harness/host";
import * as z from "zod";
import type { ConfigPaths } from "../config-paths.ts";

const Grant = z.object({
  /** The provider's file, relative to the root, with its hash among the files. */
  path: z.string(),
  sha256: z.string(),
  /** The variables that the user was asked about, and those they granted. */
  asked: z.array(z.string()),
  granted: z.array(z.string()),
});
/** The user's decision about the secrets that a folder's model provider asks for, for exactly this file. */
export type SecretGrant = z.infer<typeof Grant>;

const Entry = z.object({
  root: z.string(),
  decision: z.enum(["trust", "refuse"]),
  at: z.string(),
  /** The hash of all files together. */
  hash: z.string(),
  files: z.array(
    z.object({ folder: z.string(), path: z.string(), sha256: z.string(), judges: z.literal(true).optional() }),
  ),
  grants: z.array(Grant).optional(),
});
/** The user's decision about the content of a folder. */
export type TrustEntry = z.infer<typeof Entry>;

const TrustDocument = z.object({ version: z.literal(1), roots: z.array(Entry) });

const MAX_BYTES = 64 * 1024 * 1024;

/** The user's `trust.json`: decisions by the real path of the root. */
export class TrustDecisions {
  readonly #file: PrivateFile<readonly TrustEntry[]>;

  constructor({ root }: Pick<ConfigPaths, "root">) {
    const path = join(root, "trust.json");
    this.#file = new PrivateFile({
      path,
      what: "what you trust",
      maxBytes: MAX_BYTES,
      access: writtenByOwnerOnly,
      empty: [],
      parse: (bytes) => decisionsIn(bytes, path),
      format: (roots) => `${JSON.stringify({ version: 1, roots }, undefined, 1)}\n`,
    });
  }

  of(root: string): TrustEntry | undefined {
    return this.#file.current().value.find((entry) => entry.root === root);
  }

  /** Why decisions can neither be read nor saved; a broken file is replaced by the next decision. */
  get problem(): string | undefined {
    const { problems, state } = this.#file.current();
    return state === "refused" ? problems.join(" ") : undefined;
  }

  /** Saves or removes a decision; a sentence if it could not be written. On disk on return. */
  change(
    root: string,
    next: (before: TrustEntry | undefined) => TrustEntry | undefined,
  ): { problem: string } | undefined {
    const changed = this.#file.change((entries) => {
      const before = entries.find((each) => each.root === root);
      const entry = next(before);
      if (!entry && !before) return undefined;
      const others = entries.filter((each) => each.root !== root);
      return entry ? [...others, entry] : others;
    });
    return "problem" in changed ? { problem: changed.problem } : undefined;
  }
}

function decisionsIn(bytes: Buffer, path: string): Contents<readonly TrustEntry[]> {
  const json = parseJson(bytes.toString("utf8"));
  const read = "value" in json ? TrustDocument.safeParse(json.value) : undefined;
  if (read?.success) return { value: read.data.roots, problems: [], state: "usable" };
  return { value: [], problems: [`${path} cannot be read. The next decision replaces it.`], state: "broken" };
}

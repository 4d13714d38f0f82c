import { realpath } from "node:fs/promises";
import { type InstructionFile, modeTexts } from "@harness/core";
import type { SourceEntry } from "@harness/extensions";
import { isSecret } from "@harness/gate";
import { cutInstructions, readTextFile } from "./read-instructions.ts";

/** The usable fragments, from the user's own to the most local. Texts of modes in the config folder do not count. */
export async function readFragments(entries: readonly SourceEntry[], configFolder: string): Promise<InstructionFile[]> {
  const fragments = entries.filter(
    ({ name, source }) => source.folder !== configFolder || !Object.hasOwn(modeTexts, name),
  );
  const read = await Promise.all(
    fragments.map(async ({ path }) => {
      const real = await realpath(path).catch(() => undefined);
      const text = real === undefined || isSecret(real) ? undefined : await readTextFile(real);
      return text ? { path, text: cutInstructions(text, path) } : undefined;
    }),
  );
  return read.filter((file) => file !== undefined);
}

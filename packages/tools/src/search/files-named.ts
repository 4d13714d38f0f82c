import { join } from "node:path";
import type { FileFinder } from "@harness/core";
import { realPathOf } from "@harness/host";
import { outwardProblem, splitPattern } from "./search-base.ts";
import { wildPatterns } from "./wild-pattern.ts";

/**
 * The files that the user means by a pattern, as absolute paths: as in a shell, a pattern without a slash applies to
 * one folder, and `*` to names without a leading dot. A problem is the end of a sentence.
 */
export async function filesNamed(
  pattern: string,
  { cwd, list, signal }: { cwd: string; list: FileFinder; signal: AbortSignal },
): Promise<string[] | { problem: string }> {
  const checked = wildPatterns(pattern);
  if ("problem" in checked) return checked;
  const { base, rest } = splitPattern(pattern.includes("/") ? pattern : `./${pattern}`, undefined, cwd);
  const wild = wildPatterns(rest);
  if ("problem" in wild) return wild;
  const problem = outwardProblem(wild);
  if (problem) return { problem };
  const real = await realPathOf(base).catch(() => undefined);
  if (real === undefined) return [];
  const patterns = wild.map((each) => (each.includes("/") ? each : `./${each}`));
  const { files } = await list.find({ base: real, patterns, cwd, signal });
  const isHidden = (file: string) => /(?:^|\/)\./.test(file);
  const isMeant = /(?:^|\/)\./.test(rest.replace(/^(?:\.\/)+/, "")) ? () => true : (file: string) => !isHidden(file);
  return files.filter(isMeant).map((file) => join(base, file));
}

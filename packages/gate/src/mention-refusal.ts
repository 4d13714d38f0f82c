import { isWithin } from "./places/path-place.ts";
import { isSecret } from "./places/secret-files.ts";
import type { Paths } from "./ports/paths.ts";
import { type Rule, ruleTouches } from "./rules/rule.ts";

/**
 * `folders`: the workspace folders, the session's own first. `allowsOutside`: the user has confirmed that they mean
 * files elsewhere.
 */
type MentionContext = { folders: readonly string[]; paths: Paths; rules: readonly Rule[]; allowsOutside: boolean };

/**
 * Why a file that the user mentions is not read into their message, as the end of a sentence about it; undefined: it
 * may be read. The user may be pasting foreign text, so nothing is read that an agent would have to ask about.
 */
export async function mentionRefusal(
  path: string,
  { folders, paths, rules, allowsOutside }: MentionContext,
): Promise<string | undefined> {
  const realPath = await paths.real(path);
  const roots = await Promise.all(folders.map((folder) => paths.real(folder)));
  if (isSecret(path) || isSecret(realPath)) return "may hold secrets: let the agent ask for it";
  if (!allowsOutside && !roots.some((root) => isWithin(realPath, root))) return "is outside the workspace";
  const read = { effect: { kind: "read", path: realPath }, realPath } as const;
  const rule = rules.find((each) => each.decision === "deny" && ruleTouches(each, "read", [read], roots));
  return rule && `is denied by the rule \`${rule.text}\``;
}

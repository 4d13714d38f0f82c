import { wordList } from "@harness/protocol";
import type { Grant } from "../answers/grant.ts";
import { relativeTo } from "../places/path-place.ts";
import { type PolicyRule, policyText } from "../ports/policy.ts";

/**
 * `root`: the session's folder. `base`: the folder that paths of saved rules are relative to; absent: the session's.
 */
export type OfferLocations = { readonly root: string; readonly base?: string | undefined };

/** The scope of answers for the session, for the middle of a sentence. */
export function grantedText(grants: readonly Grant[], { root }: OfferLocations): string {
  return wordList([...new Set(grants.map((grant) => grantText(grant, root)))]);
}

function grantText(grant: Grant, root: string): string {
  switch (grant.kind) {
    case "plain":
      return "all edits in this folder";
    case "read":
    case "write": {
      const where =
        "file" in grant
          ? `of ${relativeTo(root, grant.file) || grant.file}`
          : `under ${shownFolder(grant.folder, root)}`;
      return `\`${grant.tool}\` ${where}`;
    }
    case "run":
      return "this exact command";
    case "reach":
      return `\`${grant.tool}\` requests to ${grant.host}`;
    case "spend":
      return grant.what;
    case "mcp":
      return `all calls of ${grant.name} on the MCP server ${grant.server}`;
  }
}

function shownFolder(folder: string, root: string): string {
  const inside = relativeTo(root, folder);
  return `${inside === undefined || inside === "" ? folder : inside}/`;
}

/** The scope of saved rules, for the middle of a sentence. */
export function ruledText(rules: readonly PolicyRule[], { root, base = root }: OfferLocations): string {
  const starts = rules.filter(({ argv, rest }) => argv && rest !== "none").map(commandText);
  const whole = rules.filter(({ argv, rest }) => argv && rest === "none").map(commandText);
  const lines = rules.flatMap(({ line }) => (line === undefined ? [] : [`exactly \`${line}\``]));
  const others = rules.filter(({ argv, line }) => !argv && line === undefined).map((rule) => otherText(rule, base));
  return wordList([
    ...(starts.length > 0 ? [`commands starting with ${wordList(starts)}`] : []),
    ...(whole.length > 0 ? [`exactly ${wordList(whole)}`] : []),
    ...lines,
    ...others,
  ]);
}

/** The same in a few words: `npm test …` for all commands that start so. */
export function shortRuledText(rules: readonly PolicyRule[], { root, base = root }: OfferLocations): string {
  return wordList(rules.map((rule) => shortText(rule, base)));
}

function shortText(rule: PolicyRule, base: string): string {
  const { argv, rest, line } = rule;
  if (line !== undefined) return "exactly this command";
  if (!argv) return otherText(rule, base);
  return `\`${argv.join(" ")}${rest === "none" ? "" : " …"}\``;
}

function commandText({ argv = [] }: PolicyRule): string {
  return `\`${argv.join(" ")}\``;
}

function otherText(rule: PolicyRule, base: string): string {
  const { tool, path, host, mcp } = rule;
  if (path !== undefined) {
    const folder = path.endsWith("/**") ? path.slice(0, -2) : undefined;
    const shown = folder?.startsWith(`${base}/`) ? folder.slice(base.length + 1) : folder;
    return shown === undefined ? `\`${tool}\` of ${relativeTo(base, path) || path}` : `\`${tool}\` under ${shown}`;
  }
  if (host !== undefined) return `\`${tool}\` requests to ${host}`;
  return mcp === undefined ? policyText(rule) : `calls of ${mcp}`;
}

import type { DiffBlock, Permission, PermissionNote } from "@harness/protocol";
import { relativePath } from "../../render/blocks/relative-path.ts";
import { callTitle } from "../../state/dialogs.ts";
import { stringWidth, visibleText } from "../../text/index.ts";

/** The gate names no more of a tool in its reason. */
const MAX_NAME = 100;
/** The title of a call that keeps a process running says so at its beginning. */
const BACKGROUND_AT = 40;

/**
 * The subject of a permission request, for the frame of its dialog. `isWhole`: it includes everything in the call's own
 * title.
 */
export function requestTitle(permission: Permission): { readonly text: string; readonly isWhole: boolean } {
  const { effects, preview } = permission;
  const [first, ...others] = effects;
  const run = effects.find((effect) => effect.kind === "run");
  if (run) {
    const isKept = / in the background: /.test(permission.title.slice(0, BACKGROUND_AT));
    const what = isKept ? "Start in the background" : "Run a command";
    const text = run.outside ? `${what}, outside the sandbox` : what;
    return { text, isWhole: preview.some(({ type }) => type === "terminal") };
  }
  if (first?.kind === "reach" && others.length === 0) return { text: "Send a request", isWhole: true };
  if (first?.kind === "mcp") return { text: `${first.server} · ${first.tool}`, isWhole: true };
  const title = callTitle(permission);
  return { text: `${title.charAt(0).toUpperCase()}${title.slice(1)}`, isWhole: true };
}

/** `╭ `, ` ─`, ` ` and ` ╮` around the title and the end of a frame. */
const EDGE_COLUMNS = 8;

/** The only change of a call, if the title in the frame names its file in full. `end`: the words after the title. */
export function changeInTitle(
  permission: Permission,
  { root, columns, end }: { readonly root: string; readonly columns: number; readonly end: string },
): { readonly diff: DiffBlock; readonly room: number } | undefined {
  const [diff, ...others] = permission.preview;
  if (diff?.type !== "diff" || diff.change === "delete" || others.length > 0) return undefined;
  const title = visibleText(requestTitle(permission).text);
  const room = columns - EDGE_COLUMNS - stringWidth(end) - stringWidth(title);
  const isNamed = title.endsWith(` ${visibleText(relativePath(diff.path, root))}`);
  return isNamed && room >= 0 ? { diff, room } : undefined;
}

/** `high risk · 1 of 3`; a risk that is not high needs no word. */
export function endText({ risk }: Pick<Permission, "risk">, behind: number): string {
  const words = [...(risk === "high" ? ["high risk"] : []), ...(behind > 0 ? [`1 of ${behind + 1}`] : [])];
  return words.join(" · ");
}

/** Labels of what a call changes and reads, the worst first. */
const factLabels: Partial<Record<PermissionNote["kind"], string>> = {
  deletes: "deletes",
  writes: "writes",
  reaches: "reaches",
  reads: "reads",
};

/** The effects of the call in words: the reason for the question, and the findings in a command. */
export function permissionFacts(permission: Permission): string[] {
  const { reason, notes = [] } = permission;
  const does = reason.replace(/^runs a command that /, "");
  const isSaid = does === "runs a command" || isInTitle(permission) ? [] : [does];
  const found = Object.entries(factLabels).flatMap(([kind, label]) =>
    notes
      .filter((note) => note.kind === kind && !does.includes(note.text))
      .map(({ text }) => ({ kind, text: `${label} ${text}` })),
  );
  const deleted = found.filter(({ kind }) => kind === "deletes");
  const others = found.filter(({ kind }) => kind !== "deletes");
  return [...deleted.map(({ text }) => text), ...isSaid, ...others.map(({ text }) => text)].map(visibleText);
}

/** `writes src/a.ts` says no more than the title `write src/a.ts`, and `reaches HOST` no more than the address. */
function isInTitle(permission: Permission): boolean {
  const [first, ...others] = permission.effects;
  if (
    first?.kind === "mcp" &&
    permission.reason === `calls ${first.tool.slice(0, MAX_NAME)} of the MCP server ${first.server}`
  )
    return true;
  const [, place] = /^(?:writes|reads|reaches) (\S+)$/.exec(permission.reason) ?? [];
  if (place === undefined) return false;
  if (first?.kind === "reach" && others.length === 0) return true;
  return callTitle(permission).endsWith(place);
}

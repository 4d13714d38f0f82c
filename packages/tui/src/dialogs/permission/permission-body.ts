import type { DiffBlock, Permission, PermissionNote } from "@harness/protocol";
import { relativePath } from "../../render/blocks/relative-path.ts";
import { callTitle } from "../../state/dialogs.ts";
import {
  EMPTY_ROW,
  prefixRows,
  type Row,
  span,
  stringWidth,
  style,
  visible,
  visibleText,
  wrapSpans,
} from "../../text/index.ts";
import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import type { Role } from "../../theme/theme.ts";
import { unifiedDiffRows } from "./diff-preview.ts";
import { permissionFacts, requestTitle } from "./permission-facts.ts";
import { effectText, previewRows } from "./preview-rows.ts";

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
/** A longer command is shown after its effects. */
const SHORT_COMMAND = 8;
/** Effects beyond this number are counted by folder: the server lists the most important first. */
const MAX_EFFECTS = 12;
const MAX_FOLDERS = 5;

/** Only a high risk has a colour of its own: what is always coloured is not seen. */
export function riskRole({ risk }: Pick<Permission, "risk">): Role {
  return risk === "high" ? "error" : "accent";
}

type PermissionBodyOptions = {
  readonly width: number;
  readonly code: DrawingCode;
  /** The most unchanged lines around each change of a diff; absent: all. */
  readonly context?: number | undefined;
  /** The folder that paths are shown relative to. */
  readonly root: string;
  /** Columns for the title in the frame; a longer title is repeated in full in the body. */
  readonly titleWidth: number;
  /** The only change, if the frame names its file. */
  readonly inTitle?: DiffBlock | undefined;
  /** Lines about the origin of the request that have no separate row. */
  readonly origin: readonly string[];
  /** Adds a blank row between its parts. */
  readonly isAiry: boolean;
};

/**
 * Everything that a permission decision depends on, as rows to scroll through: the command once, its effects in the
 * colour of the risk, and further notes. For edits the words come first, as a diff may be long.
 */
export function permissionBody(permission: Permission, options: PermissionBodyOptions): Row[] {
  const { width, root, origin, isAiry } = options;
  const { notes = [], effects } = permission;
  const warnings = notes.filter(({ kind }) => kind === "warning");
  // Commands started by a plain line are visible in it.
  const isHidden = ({ kind, text }: PermissionNote): boolean => kind === "runs" && text.includes("(inside)");
  // Sentences stand last: they need not be seen.
  const others = [...notes.filter(isHidden), ...notes.filter(isSentence)];
  const unknown = notes.filter(({ kind }) => !Object.hasOwn(noteLabels, kind));
  const facts = permissionFacts(permission).join(" · ");
  const words = [
    ...warnings.flatMap((note) => noteRows(note, width)),
    ...(facts === ""
      ? []
      : wrapSpans(visible(facts, permission.risk === "high" ? style({ fg: "error" }) : undefined), width)),
    ...(isShown(permission, root) ? [] : allEffectRows(effects, { width, root })),
    ...[...unknown, ...others].flatMap((note) => noteRows(note, width)),
  ];
  const shown = shownRows(permission, options);
  const parts = isCommandFirst(permission, shown) ? [shown, words] : [words, shown];
  const filled = parts.filter(({ length }) => length > 0);
  return [
    ...origin.flatMap((text) => wrapSpans(visible(text, WARNING), width)),
    ...filled.flatMap((part, at) => (isAiry && at > 0 ? [EMPTY_ROW, ...part] : part)),
  ];
}

/**
 * How many rows at the end of the body need not be seen to allow it: sentences below a command that is in view as a
 * whole. Warnings and effects are not among them.
 */
export function optionalRows(permission: Permission, options: PermissionBodyOptions): number {
  const { notes = [] } = permission;
  const needed = permissionBody({ ...permission, notes: notes.filter((note) => !isSentence(note)) }, options);
  const all = permissionBody(permission, options);
  return isCommandFirst(permission, shownRows(permission, options)) ? all.length - needed.length : 0;
}

function isSentence({ kind }: PermissionNote): boolean {
  return kind === "sandbox" || kind === "undo";
}

/** The command, the changes, or whatever else the call is about. */
function shownRows(permission: Permission, options: PermissionBodyOptions): Row[] {
  const { width, root, code, context, inTitle } = options;
  const look = { width, root, code, context };
  const content = inTitle ? unifiedDiffRows(inTitle, look) : previewRows(permission.preview, look);
  return [...titleRows(permission, options), ...content];
}

function isCommandFirst({ effects }: Permission, shown: readonly Row[]): boolean {
  return effects.some(({ kind }) => kind === "run") && shown.length <= SHORT_COMMAND;
}

/** The full title if it does not fit into the frame, or something else in its place. */
function titleRows(permission: Permission, { width, titleWidth }: PermissionBodyOptions): Row[] {
  const { text, isWhole } = requestTitle(permission);
  const isCut = permission.preview.length === 0 && stringWidth(visibleText(text)) > titleWidth;
  return isWhole && !isCut ? [] : wrapSpans(visible(callTitle(permission)), width, "hard");
}

/** A single effect needs no row if the reason or the preview already shows it. */
function isShown({ effects, preview, reason }: Permission, root: string): boolean {
  const [effect, ...others] = effects;
  if (!effect || others.length > 0) return false;
  const { what, which } = effectText(effect);
  // The reason words it as people do: `reads .env, which may hold secrets`.
  const isSaid = `${reason},`.startsWith(`${what} ${relativePath(which, root)},`);
  return preview.length > 0 || isSaid || reason.includes(which);
}

/** Labels before notes; notes without one are whole sentences. */
const noteLabels: Record<PermissionNote["kind"], string> = {
  warning: "! ",
  runs: "starts ",
  reads: "reads ",
  writes: "writes ",
  deletes: "deletes ",
  reaches: "reaches ",
  sandbox: "",
  undo: "",
};

function noteRows({ kind, text }: PermissionNote, width: number): Row[] {
  // A kind from a newer server is shown as it is.
  const label = Object.hasOwn(noteLabels, kind) ? noteLabels[kind] : `${visibleText(kind)} `;
  const look = kind === "warning" ? WARNING : MUTED;
  const inner = Math.max(1, width - stringWidth(label));
  const rows = wrapSpans(visible(text, look), inner);
  return prefixRows(rows, [span(label, look)], [span(" ".repeat(stringWidth(label)))]);
}

function allEffectRows(
  effects: Permission["effects"],
  { width, root }: Pick<PermissionBodyOptions, "width" | "root">,
): Row[] {
  if (effects.length <= MAX_EFFECTS + 1) return effects.flatMap((effect) => effectRows(effect, width));
  const rest = effects.slice(MAX_EFFECTS);
  return [
    ...effects.slice(0, MAX_EFFECTS).flatMap((effect) => effectRows(effect, width)),
    ...wrapSpans(visible(`… and ${rest.length} more: ${countedByFolder(rest, root)}`, MUTED), width),
  ];
}

/** `40 in src/, 12 in docs/` */
function countedByFolder(effects: Permission["effects"], root: string): string {
  const places = effects.map((effect) => {
    const [top = "", below] = relativePath(effectText(effect).which, root).split("/", 2);
    return below === undefined ? "" : top;
  });
  const counts = [...Map.groupBy(places, (place) => place)].map(([place, { length }]) => ({ place, length }));
  counts.sort((a, b) => b.length - a.length);
  const shown = counts.slice(0, MAX_FOLDERS);
  const others = counts.slice(MAX_FOLDERS).reduce((sum, { length }) => sum + length, 0);
  const words = shown.map(({ place, length }) => `${length} ${place === "" ? "at the top" : `in ${place}/`}`);
  return [...words, ...(others > 0 ? [`${others} elsewhere`] : [])].join(", ");
}

function effectRows(effect: Permission["effects"][number], width: number): Row[] {
  const { what, which } = effectText(effect);
  const lead = `${visibleText(what)} `;
  return prefixRows(
    wrapSpans(visible(which), Math.max(8, width - lead.length), "hard"),
    [span(lead, MUTED)],
    [span(" ".repeat(lead.length))],
  );
}

import type { Permission, PermissionNote } from "@harness/protocol";
import { titleOf } from "../../state/dialogs.ts";
import {
  prefixRows,
  type Row,
  row,
  span,
  stringWidth,
  style,
  visible,
  visibleText,
  wrapSpans,
} from "../../text/index.ts";
import type { Answers } from "./answer-rows.ts";
import { effectText, previewRows } from "./preview-rows.ts";

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

/** Labels before notes; notes without one are whole sentences. */
const noteLabels: Record<PermissionNote["kind"], string> = {
  warning: "! ",
  runs: "starts ",
  reads: "reads ",
  writes: "writes ",
  reaches: "reaches ",
  sandbox: "",
  undo: "",
};

export type BodyLook = {
  readonly width: number;
  /** Columns of the title row; a longer title is repeated in full in the body. */
  readonly titleWidth: number;
  /** Lines about the origin of the request that have no row of their own. */
  readonly origin: readonly string[];
};

/**
 * Everything a permission is decided by, as rows to scroll through: warnings first, then the reason, the
 * notes, and the diff or command in full.
 */
export function permissionBody(permission: Permission, look: BodyLook): Row[] {
  const { width, titleWidth, origin } = look;
  const { notes = [], effects, preview, reason } = permission;
  const title = titleOf(permission);
  const isCut = preview.length === 0 && stringWidth(visibleText(title)) > titleWidth;
  const warnings = notes.filter(({ kind }) => kind === "warning");
  const others = notes.filter(({ kind }) => kind !== "warning");
  return [
    ...origin.flatMap((text) => wrapSpans(visible(text, WARNING), width)),
    ...warnings.flatMap((note) => noteRows(note, width)),
    ...wrapSpans(visible(reason, MUTED), width),
    ...(isCut ? wrapSpans(visible(title), width, "hard") : []),
    ...others.flatMap((note) => noteRows(note, width)),
    ...(isShown(permission) ? [] : effects.flatMap((effect) => effectRows(effect, width))),
    ...previewRows(preview, width),
  ];
}

/** A single effect needs no row when the reason or the preview shows it already. */
function isShown({ effects, preview, reason }: Permission): boolean {
  const [effect, ...others] = effects;
  if (!effect || others.length > 0) return false;
  if (effect.kind === "run" && effect.outside) return false;
  return preview.length > 0 || reason.includes(effectText(effect).which);
}

function noteRows({ kind, text }: PermissionNote, width: number): Row[] {
  // A kind that a newer server knows is shown as it is.
  const label = Object.hasOwn(noteLabels, kind) ? noteLabels[kind] : `${visibleText(kind)} `;
  const isWarning = kind === "warning";
  const inner = Math.max(1, width - stringWidth(label));
  const rows = wrapSpans(visible(text, isWarning ? WARNING : undefined), inner);
  return prefixRows(rows, [span(label, isWarning ? WARNING : MUTED)], [span(" ".repeat(stringWidth(label)))]);
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

/** The end of the body: what lasting answers cover, where there is no room for it beside them. */
export function coverRows(all: Answers["covers"], width: number): Row[] {
  return all.flatMap(({ name, covers }) => {
    const label = span(`${visibleText(name)} covers exactly:`, MUTED);
    const [only, ...more] = wrapSpans([label, span(" "), ...visible(covers)], width, "hard");
    if (only && more.length === 0) return [only];
    const rows = wrapSpans(visible(covers), Math.max(1, width - 2), "hard");
    return [row(label), ...prefixRows(rows, [span("  ")], [span("  ")])];
  });
}

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

/** Before what was found; a sentence stands for itself. */
const noteWords: Record<PermissionNote["kind"], string> = {
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
  /** The title's row is so wide: a longer title stands here in full. */
  readonly titleWidth: number;
  /** Lines about who asks that have no row of their own. */
  readonly said: readonly string[];
};

/**
 * All that a person decides a permission by, as rows to scroll through: what could be overlooked first, then why it is
 * asked, what was found, and the diff or command in full.
 */
export function permissionBody(permission: Permission, look: BodyLook): Row[] {
  const { width, titleWidth, said } = look;
  const { notes = [], effects, preview, reason } = permission;
  const title = titleOf(permission);
  const isCut = preview.length === 0 && stringWidth(visibleText(title)) > titleWidth;
  const warnings = notes.filter(({ kind }) => kind === "warning");
  const others = notes.filter(({ kind }) => kind !== "warning");
  return [
    ...said.flatMap((text) => wrapSpans(toned(text, WARNING), width)),
    ...warnings.flatMap((note) => noteRows(note, width)),
    ...wrapSpans(toned(reason, MUTED), width),
    ...(isCut ? wrapSpans(visible(title), width, "hard") : []),
    ...others.flatMap((note) => noteRows(note, width)),
    ...(isSaid(permission) ? [] : effects.flatMap((effect) => effectRows(effect, width))),
    ...previewRows(preview, width),
  ];
}

/** A single effect may be said already: by the reason in words, by the preview in full. */
function isSaid({ effects, preview, reason }: Permission): boolean {
  const [effect, ...others] = effects;
  if (!effect || others.length > 0) return false;
  if (effect.kind === "run" && effect.outside) return false;
  return preview.length > 0 || reason.includes(effectText(effect).which);
}

function toned(text: string, look: typeof MUTED) {
  return visible(text).map((each) => (each.style.id === 0 ? span(each.text, look) : each));
}

function noteRows({ kind, text }: PermissionNote, width: number): Row[] {
  // A kind that a newer server knows is shown as it is.
  const words = Object.hasOwn(noteWords, kind) ? noteWords[kind] : `${visibleText(kind)} `;
  const isWarning = kind === "warning";
  const inner = Math.max(1, width - stringWidth(words));
  const rows = wrapSpans(isWarning ? toned(text, WARNING) : visible(text), inner);
  return prefixRows(rows, [span(words, isWarning ? WARNING : MUTED)], [span(" ".repeat(stringWidth(words)))]);
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

/** The end of the body: exactly what lasting answers would keep, where there is no room for it beside them. */
export function coverRows(all: Answers["covers"], width: number): Row[] {
  return all.flatMap(({ name, covers }) => {
    const label = span(`${visibleText(name)} covers exactly:`, MUTED);
    const [only, ...more] = wrapSpans([label, span(" "), ...visible(covers)], width, "hard");
    if (only && more.length === 0) return [only];
    const rows = wrapSpans(visible(covers), Math.max(1, width - 2), "hard");
    return [row(label), ...prefixRows(rows, [span("  ")], [span("  ")])];
  });
}

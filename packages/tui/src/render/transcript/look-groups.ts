import type { ToolItem, TranscriptItem } from "@harness/protocol";
import { spokenTitle } from "../../figures/spoken-title.ts";
import { truncateRow } from "../../text/fit.ts";
import { arrayRows, type VirtualRows } from "../../text/rows.ts";
import { style } from "../../text/style.ts";
import { wrapSpans } from "../../text/wrap.ts";
import { mutedRow, opensText, type RowSpace } from "../block-context.ts";
import { isCallsOnly } from "./agent-rows.ts";

/** Consecutive calls that only read, by the indexes of the first and the last. */
export type LookGroup = { readonly id: string; readonly from: number; readonly to: number };

type Stretch = { readonly from: number; readonly to: number; readonly group: LookGroup | undefined };
type Items = readonly TranscriptItem[];

/** The tool for commands. */
const COMMANDS = "bash";
const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const DONE = style({ fg: "success" });
const RUNNING = style({ fg: "accent" });

/** Finds consecutive calls that only read: while they are folded, "Explored 4 files" says enough. */
export class LookGroups {
  #last: Stretch | undefined;
  readonly #heads = new WeakMap<TranscriptItem, { key: string; rows: VirtualRows }>();

  /** The items may have changed. */
  forget(): void {
    this.#last = undefined;
  }

  /** The group an item belongs to. */
  at(items: Items, index: number): LookGroup | undefined {
    if (!isMember(items[index])) return undefined;
    let stretch = this.#last;
    if (!stretch || index < stretch.from || index > stretch.to) {
      stretch = stretchAround(items, index);
      this.#last = stretch;
    }
    const { group } = stretch;
    return group && index >= group.from && index <= group.to ? group : undefined;
  }

  /** The summary line of a group; the same rows as long as the text is the same. */
  head(items: Items, { from, to }: LookGroup, { width, open, keys }: RowSpace): VirtualRows {
    const first = items[from];
    if (!first) return arrayRows([]);
    const calls = items.slice(from, to + 1).filter((item) => item.kind === "tool");
    const isRunning = calls.some(({ outcome }) => !outcome);
    const what = `${isRunning ? "Exploring" : "Explored"} ${counts(calls)}`;
    const titles = open ? "" : calls.map((call) => spokenTitle(call).argument).join(", ");
    const hint = open ? "" : opensText({ keys });
    const key = `${width} ${open} ${hint} ${what} ${titles}`;
    const known = this.#heads.get(first);
    if (known?.key === key) return known.rows;
    const spans = [
      { text: isRunning ? "◐ " : open ? "▾ " : "● ", style: isRunning ? RUNNING : DONE },
      { text: what, style: BOLD },
      { text: titles === "" ? "" : `  ${titles}`, style: MUTED },
    ];
    const row = truncateRow({ spans }, Math.max(1, width - hint.length));
    const cut = truncateRow({ spans: [...row.spans, ...mutedRow(hint).spans] }, width);
    // A list that no key opens is shown in full.
    const rows = arrayRows(open || hint !== "" ? [cut] : wrapSpans(spans, width));
    this.#heads.set(first, { key, rows });
    return rows;
  }
}

/** `4 files, 2 searches` */
function counts(calls: readonly ToolItem[]): string {
  const paths = new Set<string>();
  let searches = 0;
  const commands = calls.filter(({ name, outcome }) => name === COMMANDS && outcome).length;
  for (const { name, outcome } of calls) {
    if (name === COMMANDS) continue;
    const files = outcome?.files ?? [];
    for (const { path } of files) paths.add(path);
    if (outcome && files.length === 0) searches += 1;
  }
  const open = calls.filter(({ outcome }) => !outcome).length;
  const parts = [
    ...(paths.size > 0 ? [paths.size === 1 ? "1 file" : `${paths.size} files`] : []),
    ...(searches > 0 ? [searches === 1 ? "1 search" : `${searches} searches`] : []),
    ...(commands > 0 ? [commands === 1 ? "1 command" : `${commands} commands`] : []),
    ...(open > 0 ? [`${open} more`] : []),
  ];
  return parts.join(", ");
}

function isLook(item: TranscriptItem | undefined): item is ToolItem {
  if (item?.kind !== "tool" || item.byPerson || (!item.looks && !isReader(item))) return false;
  return item.outcome === undefined || item.outcome.status === "ok";
}

/** A command that only reads. */
function isReader({ name, changesNothing }: ToolItem): boolean {
  return name === COMMANDS && changesNothing === true;
}

/** Reading calls, and items between them without words for the user. */
function isMember(item: TranscriptItem | undefined): boolean {
  if (item === undefined) return false;
  return isLook(item) || item.kind === "repair" || (item.kind === "agent" && isCallsOnly(item));
}

/** The start of the calls before `end` that a later call may still join; `end` if there are none. */
export function joinableFrom(items: Items, end: number): number {
  if (end < items.length && !isMember(items[end])) return end;
  let from = end;
  while (isMember(items[from - 1])) from -= 1;
  return from;
}

function stretchAround(items: Items, index: number): Stretch {
  let from = index;
  while (isMember(items[from - 1])) from -= 1;
  let to = index;
  while (isMember(items[to + 1])) to += 1;
  const looks = items.slice(from, to + 1).flatMap((item, at) => (isLook(item) ? [from + at] : []));
  const [first, last] = [looks[0], looks.at(-1)];
  const head = first === undefined ? undefined : items[first];
  if (first === undefined || last === undefined || !head || looks.length < 2) return { from, to, group: undefined };
  return { from, to, group: { id: `looks ${head.id}`, from: first, to: last } };
}

import { nextStep } from "@harness/client/actions";
import type { StopReason, TurnItem } from "@harness/protocol";
import { amount } from "@harness/protocol/text";
import { apartFromByProducts } from "../../figures/by-products.ts";
import { shortCost } from "../../figures/short-cost.ts";
import { spokenTime } from "../../figures/spoken-time.ts";
import { tokenCount } from "../../figures/token-count.ts";
import { truncateRow } from "../../text/fit.ts";
import { sanitiseLine, textLines } from "../../text/sanitise.ts";
import { PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import type { Role } from "../../theme/theme.ts";
import { mutedRow, type RowSpace } from "../block-context.ts";

type Changes = NonNullable<TurnItem["changes"]>;

const MUTED = style({ fg: "muted" });
const ADDED = style({ fg: "added" });
const REMOVED = style({ fg: "removed" });
const INDENT: Span = { text: "  ", style: PLAIN };
/** How many files are listed when the line is open. */
const MAX_FILES = 200;

/** Why a turn ended, if not normally. */
const endings: Partial<Record<StopReason, { role: Role; text: string }>> = {
  cancelled: { role: "muted", text: "Stopped." },
  max_tokens: {
    role: "warning",
    text: "The answer was cut off: the model reached its output limit.",
  },
  max_turn_requests: {
    role: "warning",
    text: "Stopped: the limit of requests for one message (max_turns) was reached.",
  },
  budget: { role: "warning", text: "Stopped: the agent used up its budget." },
  refusal: { role: "warning", text: "The model refused to answer." },
  interrupted: {
    role: "warning",
    text: "The turn was interrupted when the server ended.",
  },
  loop: {
    role: "warning",
    text: "Stopped: the model was stuck in a loop.",
  },
};

/** True if the end of a turn has something that folding hides. */
export function hasFiles({ changes }: TurnItem): boolean {
  return changes !== undefined && changes.files.length > 0;
}

/**
 * One line at the end of a turn: time, tokens, cost and changed files; before it, why the turn ended, if not normally.
 */
export function turnRows(item: TurnItem, space: RowSpace): Row[] {
  const { width, open } = space;
  return [...endingRows(item, space), ...figureRows(item, width), ...(open ? fileRows(item, width) : [])];
}

function endingRows(item: TurnItem, { width, keys }: RowSpace): Row[] {
  const { error, stopReason } = item;
  const ending = stopReason === undefined ? undefined : endings[stopReason];
  const next = nextStep(error === undefined ? stopReason : "error");
  const said = withoutShellCommand(error?.message ?? "");
  const step = error !== undefined && said !== error.message ? keyStep(keys) : next;
  if (error === undefined && ending === undefined) return [];
  if (error === undefined && item.explained) return step === undefined ? [] : stepRows(step, width);
  const { role, text } =
    error === undefined && ending
      ? { role: ending.role, text: [ending.text, step].filter((each) => each !== undefined).join(" ") }
      : { role: "error" as const, text: said };
  const look = style({ fg: role });
  const mark = error ? "✗ " : role === "warning" ? "! " : "■ ";
  const rows = textLines(text).flatMap((line) => wrapSpans([{ text: line, style: look }], Math.max(1, width - 2)));
  const ended = prefixRows(rows, [{ text: mark, style: look }], [INDENT]);
  return error === undefined || step === undefined ? ended : [...ended, ...stepRows(step, width)];
}

/** Settings take keys and logins, so that nobody has to leave the window for it. */
function keyStep(keys: RowSpace["keys"]): string {
  const where = keys.say("anywhere.settings", (key) => `${key} opens Settings`, "/settings opens Settings");
  return `${where}: type \`keys\` for keys and logins. /continue tries again.`;
}

/** A message about a key or login without the command of a shell for what Settings do. */
function withoutShellCommand(message: string): string {
  return message
    .replace(/,? or run `harness auth set [^`\s]+`/, "")
    .replace(/ Log in again: harness auth login \S+/, "");
}

/** The warning before it has already said why the turn ended. */
function stepRows(step: string, width: number): Row[] {
  return prefixRows(wrapSpans([{ text: step, style: MUTED }], Math.max(1, width - 2)), [INDENT], [INDENT]);
}

function figureRows({ ms, usage = {}, cost, changes }: TurnItem, width: number): Row[] {
  const { inputTokens, outputTokens } = usage;
  const money = cost && cost.usd > 0 ? shortCost(cost, "") : "";
  const figures = [
    ...(ms === undefined || ms < 500 ? [] : [spokenTime(ms)]),
    ...(inputTokens === undefined ? [] : [`${tokenCount(inputTokens)} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${tokenCount(outputTokens)} out`]),
    ...(money === "" ? [] : [money]),
  ];
  const spans: Span[] = [{ text: figures.join(" · "), style: MUTED }];
  if (changes) {
    const { written, byProducts } = apartFromByProducts(changes.files);
    const files = written.length + changes.moreFiles;
    const counted = files > 0 ? amount(files, "file") : amount(byProducts.length, "generated file");
    const count = `${figures.length > 0 ? " · " : ""}${counted}`;
    spans.push({ text: count, style: MUTED }, ...countSpans(changes), { text: names(written), style: MUTED });
  }
  if (figures.length === 0 && !changes) return [];
  return prefixRows([truncateRow({ spans }, Math.max(1, width - 2))], [INDENT], [INDENT]);
}

function countSpans({ added, removed }: Pick<Changes, "added" | "removed">): Span[] {
  return [
    ...(added > 0 ? [{ text: ` +${added}`, style: ADDED }] : []),
    ...(removed > 0 ? [{ text: ` −${removed}`, style: REMOVED }] : []),
  ];
}

function names(files: readonly Changes["files"][number][]): string {
  return files.length === 0 ? "" : ` · ${files.map(({ path }) => sanitiseLine(path)).join(", ")}`;
}

const marks = { create: "new", modify: "changed", delete: "deleted" } as const;

/** The file that an opened turn line lists in this row. */
export function fileOfRow({ changes }: TurnItem, text: string): string | undefined {
  const listed = text.trim();
  const words = ({ change, path }: Changes["files"][number]) => `${marks[change].padEnd(8)}${sanitiseLine(path)}`;
  // A path can be the beginning of a longer one: the longest match is meant.
  const found = changes?.files.filter((file) => listed.startsWith(words(file))) ?? [];
  return found.sort((a, b) => b.path.length - a.path.length)[0]?.path;
}

function fileRows({ changes }: TurnItem, width: number): Row[] {
  if (!changes) return [];
  const { written, byProducts } = apartFromByProducts(changes.files);
  const shown = [...written, ...byProducts].slice(0, MAX_FILES);
  const rows = shown.map((file) => {
    const lead: Span = { text: `  ${marks[file.change].padEnd(8)}`, style: MUTED };
    return truncateRow(
      { spans: [lead, { text: sanitiseLine(file.path), style: PLAIN }, ...countSpans(file)] },
      width - 2,
    );
  });
  const more = changes.files.length + changes.moreFiles - shown.length;
  if (more > 0) rows.push(mutedRow(`  … ${more.toLocaleString("en")} more ${more === 1 ? "file" : "files"}`));
  return prefixRows(rows, [INDENT], [INDENT]);
}

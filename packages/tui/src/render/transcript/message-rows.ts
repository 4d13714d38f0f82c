import { byteCount, type NoticeText } from "@harness/client/actions";
import type { Content, TranscriptItem } from "@harness/protocol";
import { tokenCount } from "../../figures/token-count.ts";
import { truncateRow } from "../../text/fit.ts";
import { markdownRows } from "../../text/markdown/document.ts";
import { sanitise, sanitiseLine } from "../../text/sanitise.ts";
import { PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { expandTabs } from "../../text/tabs.ts";
import { prefixRows, wrapColumns, wrapSpans } from "../../text/wrap.ts";
import type { Role } from "../../theme/theme.ts";
import { type BlockContext, cutOf, firstLines, firstRows, mutedRow, type RowSpace } from "../block-context.ts";
import type { DrawnPictures } from "../pictures/drawn-pictures.ts";
import { worktreeText } from "./worktree-text.ts";

/** Draws images; absent: images are shown as a line. */
export type PictureSpace = { readonly pictures?: Pick<DrawnPictures, "rowsOf" | "generation"> | undefined };
type Of<K extends TranscriptItem["kind"]> = Extract<TranscriptItem, { kind: K }>;

/** A pasted file is not read again in the transcript; typed text is rarely longer than this. */
const USER_LINES = { folded: 12, open: 20_000 };
const BAR: Span = { text: "▌ ", style: style({ fg: "user" }) };
const AGENT_BAR: Span = { text: "▌ ", style: style({ fg: "info" }) };
const HARNESS_BAR: Span = { text: "▌ ", style: style({ fg: "muted" }) };
const FROM = style({ fg: "info", bold: true });
const MUTED = style({ fg: "muted" });

function describe({ name, mimeType, data, widthPx, heightPx }: Exclude<Content, { type: "text" }>): string {
  const pixels = widthPx === undefined || heightPx === undefined ? mimeType : `${widthPx}×${heightPx}`;
  const parts = [...(name === undefined ? [] : [name]), pixels, byteCount(Buffer.byteLength(data, "base64"))];
  return `[image ${parts.join(", ")}]`;
}

/** A message of the user, another agent or harness, with a bar on its left. */
export function userRows(item: Of<"user">, { width, open, keys, pictures }: RowSpace & PictureSpace): Row[] {
  const bar = item.origin === "user" ? BAR : item.origin === "agent" ? AGENT_BAR : HARNESS_BAR;
  const inner = Math.max(1, width - 2);
  const rows: Row[] = [];
  const from = item.fromAgentId === undefined ? "" : sanitiseLine(item.fromAgentId);
  if (item.origin === "subagent" && !open) {
    // Its result is already shown below its own line.
    return prefixRows(
      [truncateRow(mutedRow(`${from} ${hasFailed(item) ? "has failed." : "has reported."}`), inner)],
      [bar],
      [bar],
    );
  }
  if (from !== "") rows.push({ spans: [{ text: `from ${from}:`, style: item.origin === "agent" ? FROM : MUTED }] });
  for (const part of item.content) {
    if (part.type !== "text") {
      rows.push(...wrapSpans(mutedRow(sanitiseLine(describe(part))).spans, inner));
      if (pictures) rows.push(...pictures.rowsOf(part, bar.text.length, inner));
      continue;
    }
    const cut = cutOf({ open, width: inner, keys }, USER_LINES);
    const { lines, more } = firstLines(sanitise(withoutSender(part.text, item)).replace(/(?<!\n)\n+$/, ""), cut.limit);
    const textRows = lines.flatMap((line) => wrapSpans(expandTabs([{ text: line, style: PLAIN }]), inner));
    for (const row of firstRows(textRows, more, cut)) rows.push(row);
  }
  return prefixRows(rows, [bar], [bar]);
}

/** A subagent's result begins with a label for the model. */
function hasFailed({ content }: Of<"user">): boolean {
  const text = content.find((part) => part.type === "text")?.text ?? "";
  return /^SUBAGENT \S+ FAILED: /.test(text);
}

/** A message of another agent begins with words that tell the model who sent it. */
function withoutSender(text: string, { origin }: Of<"user">): string {
  return origin === "agent" ? text.replace(/^MESSAGE from \S+: /, "") : text;
}

const severities: Record<Of<"notice">["severity"], { mark: string; role: Role }> = {
  info: { mark: "· ", role: "info" },
  warning: { mark: "! ", role: "warning" },
  error: { mark: "✗ ", role: "error" },
};

/** How many lines of an informational notice are shown while it is folded. */
const NOTICE_LINES = 3;

/** True if folding hides part of a notice; warnings and errors are always shown whole. */
export function isLongNotice({ severity, description = "" }: NoticeText): boolean {
  return severity === "info" && description.split("\n", NOTICE_LINES + 1).length > NOTICE_LINES;
}

export function noticeRows(item: NoticeText, { width, open, keys }: RowSpace): Row[] {
  const { severity, title, description } = item;
  const { mark, role } = severities[severity];
  const look = style({ fg: role });
  const inner = Math.max(1, width - mark.length);
  const limit = open || !isLongNotice(item) ? Number.POSITIVE_INFINITY : NOTICE_LINES;
  const { lines, more } = description ? firstLines(sanitise(description), limit) : { lines: [], more: 0 };
  const textRows = lines.flatMap((line) => wrapColumns({ text: line.replaceAll("\t", " "), style: MUTED }, inner));
  const rows = [
    ...wrapSpans([{ text: sanitiseLine(title), style: look }], inner),
    ...firstRows(textRows, more, { limit: Number.POSITIVE_INFINITY, open, width: inner, keys }),
  ];
  return prefixRows(rows, [{ text: mark, style: look }], [{ text: "  ", style: PLAIN }]);
}

/** A rule across the screen; when open, the summary and what harness has added to it. */
export function compactionRows(item: Of<"compaction">, { width, open, keys }: RowSpace): Row[] {
  const { tokensBefore, tokensAfter, passes = 1, fallback, pins = [] } = item;
  const how = fallback === undefined ? "compacted" : "shortened without a summary";
  const counted = passes > 1 ? ` in ${passes} passes` : "";
  const hint = open ? "" : keys.say("anywhere.fold", (key) => `· ${key} `);
  const text = ` ${how}: ${tokenCount(tokensBefore)} → ${tokenCount(tokensAfter)} tokens${counted} ${hint}`;
  const line = `──${text}${"─".repeat(Math.max(2, width - text.length - 2))}`.slice(0, Math.max(1, width));
  const head: Row =
    fallback === undefined ? mutedRow(line) : { spans: [{ text: line, style: style({ fg: "warning" }) }] };
  if (!open) return [head];
  const added = pins.length > 0 ? ["", `Missing from the summary and added by harness: ${pins.join(", ")}.`] : [];
  const lines = sanitise([item.summary, ...added].join("\n")).split("\n");
  return [head, ...lines.flatMap((each) => wrapSpans(mutedRow(each.replaceAll("\t", "    ")).spans, width))];
}

const runs: Record<Of<"subagent">["state"], { mark: string; role: Role; label: string }> = {
  running: { mark: "◇", role: "accent", label: "running" },
  completed: { mark: "◆", role: "success", label: "done" },
  failed: { mark: "✗", role: "error", label: "failed" },
  cancelled: { mark: "⊘", role: "muted", label: "cancelled" },
  interrupted: { mark: "⊘", role: "warning", label: "interrupted" },
};

const OUTPUT_LINES = { folded: 3, open: 2000 };

/** `now`: the activity of a running subagent and its duration. */
export function subagentRows(item: Of<"subagent">, { width, open, code, keys }: BlockContext, now = ""): Row[] {
  const { mark, role, label } = runs[item.state];
  const look = style({ fg: role });
  const name = item.name === undefined ? "" : `(${sanitiseLine(item.name)}) `;
  const head: Span[] = [
    { text: `${sanitiseLine(item.childAgentId)} ${name}`, style: style({ bold: true }) },
    { text: item.background && item.state === "running" ? `${label} in the background` : label, style: look },
    { text: `  ${sanitiseLine(item.task)}`, style: PLAIN },
  ];
  const changed = item.worktree ? worktreeText(item.worktree) : "";
  const changes =
    changed === ""
      ? []
      : [
          truncateRow(
            mutedRow(`${changed}${item.worktree?.state === "open" ? keys.tail("chat.agents") : ""}`),
            width - 2,
          ),
        ];
  const inner = Math.max(1, width - 2);
  const cut = cutOf({ open, width: inner, keys }, OUTPUT_LINES);
  // The rest describes its changes, which have a row of their own.
  const answer = item.output?.slice(0, item.answerLength);
  const output = answer ? markdownRows(answer, inner, code) : [];
  const doing = now === "" ? [] : [truncateRow(mutedRow(sanitiseLine(now)), inner)];
  const rows = [...wrapSpans(head, inner), ...doing, ...changes, ...firstRows(output, 0, cut)];
  return prefixRows(rows, [{ text: `${mark} `, style: look }], [{ text: "  ", style: PLAIN }]);
}

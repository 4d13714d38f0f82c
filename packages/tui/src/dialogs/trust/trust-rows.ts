import type { TrustItem, TrustView } from "@harness/protocol";
import { prefixRows, type Row, row, span, style, visible, visibleText, wrapSpans } from "../../text/index.ts";
import { grantedRows } from "./secret-rows.ts";

const MUTED = style({ fg: "muted" });
const BOLD = style({ bold: true });
const WARNING = style({ fg: "warning" });
/** Enough of a hash to compare it by eye. */
const HASH_CHARACTERS = 16;

const stateTexts: Record<TrustView["state"], string> = {
  nothing: "It contains nothing that would run or change harness.",
  trusted: "You trust exactly this content.",
  session: "You trust this content for this run.",
  untrusted: "Until you trust it, its settings can only tighten permissions and none of its programs run.",
  changed: "You trusted it, and it has changed since: none of its programs run until you look again.",
  refused: "You did not trust it: its settings can only tighten permissions and none of its programs run.",
};

const changeLabels: Record<NonNullable<TrustItem["change"]>, string> = {
  added: "new since you trusted it",
  changed: "changed since you trusted it",
  removed: "gone since you trusted it",
};

const kindLabels: Record<TrustItem["kind"], string> = {
  settings: "settings",
  policies: "permission rules",
  environment: "environment variables",
  provider: "model provider",
  hook: "hook, a program",
  tool: "tool, a program",
  command: "slash command",
  mcp: "MCP server, a program",
  skill: "skill",
  agent: "agent",
  prompt: "prompt",
  nested: "repository of its own",
  other: "file of harness",
};

/**
 * The files of a folder that would take effect, with every character visible. `isWhole`: programs are shown in full.
 */
export function trustRows(view: TrustView, { width, isWhole }: { width: number; isWhole: boolean }): Row[] {
  const { root, state, items, hash, refusal } = view;
  return [
    ...wrapSpans([span("Folder  ", MUTED), ...visible(root)], width, "hard"),
    ...wrapSpans([span(stateTexts[state], state === "trusted" || state === "session" ? MUTED : WARNING)], width),
    ...(refusal === undefined ? [] : wrapSpans([span(visibleText(refusal), WARNING)], width)),
    row(span(" ")),
    ...items.flatMap((item) =>
      itemRows(isWhole && item.whole !== undefined ? { ...item, detail: item.whole } : item, width),
    ),
    ...grantedRows(view, width),
    ...(items.length > 0
      ? [row(span(" ")), row(span("Fingerprint  ", MUTED), span(hash.slice(0, HASH_CHARACTERS)))]
      : []),
  ];
}

function itemRows({ kind, path, detail, change }: TrustItem, width: number): Row[] {
  const label = Object.hasOwn(kindLabels, kind) ? kindLabels[kind] : visibleText(kind);
  const head = [
    ...visible(path, BOLD),
    span(`  ${label}`, MUTED),
    ...(change ? [span(`  ${changeLabels[change]}`, WARNING)] : []),
  ];
  const details = detail === "" ? [] : detail.replace(/\n$/, "").split("\n");
  return [
    ...prefixRows(wrapSpans(head, width - 2, "hard"), [span("• ", MUTED)], [span("┊ ", MUTED)]),
    ...details.flatMap((line) =>
      prefixRows(
        wrapSpans(visible(line), Math.max(1, width - 4), "hard"),
        [span("  │ ", MUTED)],
        [span("  ┊ ", MUTED)],
      ),
    ),
  ];
}

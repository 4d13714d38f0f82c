import { Box } from "ink";
import { type PermissionCard as Card, lettersOf } from "../state/cards.ts";
import { PLAIN, type Row, row, span, visible, visibleText } from "../text/index.ts";
import type { Role } from "../theme.ts";
import { LineField } from "./line-field.tsx";
import { effectRow, previewRows } from "./preview-rows.ts";
import { RowList, RowText, Themed } from "./themed.tsx";

const MAX_EFFECTS = 4;
/** Rows of the card besides its preview, and of what must stay in view around it. */
const OTHER_ROWS = 15;

/** On a lower screen the card says less around its preview. */
const TIGHT_ROWS = 18;
const TIGHT_OTHER_ROWS = 6;

const riskRoles: Record<Card["permission"]["risk"], Role> = { safe: "success", medium: "warning", high: "error" };

type Props = {
  readonly card: Card;
  readonly waiting: number;
  readonly columns: number;
  readonly rows: number;
  readonly elsewhere: boolean;
};

/** May this call run? Everything a person needs to decide it, and the keys that do. */
export function PermissionCard({ card, waiting, columns, rows, elsewhere }: Props) {
  const { permission, armed, words } = card;
  const isTight = rows < TIGHT_ROWS;
  // One effect with a preview is said already: by the reason in words, by the preview in full.
  const isSaid = permission.effects.length === 1 && permission.preview.length > 0;
  const effects = isTight || isSaid ? [] : permission.effects.slice(0, MAX_EFFECTS);
  const height = isTight ? Math.max(1, rows - TIGHT_OTHER_ROWS) : Math.max(3, rows - OTHER_ROWS - effects.length);
  const role = riskRoles[permission.risk];
  return (
    <Box flexDirection="column" borderStyle="round" borderColor={role === "error" ? "red" : "yellow"} paddingX={1}>
      <Box justifyContent="space-between">
        <RowText row={row(...visible(permission.title))} />
        <Themed tone={role}>{`  ${permission.risk} risk${waiting > 1 ? ` · 1 of ${waiting}` : ""}`}</Themed>
      </Box>
      {elsewhere ? (
        <Themed tone="warning">{`From session ${card.sessionId}, which works in the background.`}</Themed>
      ) : null}
      <Themed tone="muted">{visibleText(permission.reason)}</Themed>
      <RowList rows={effects.map(effectRow)} />
      {!isTight && permission.effects.length > MAX_EFFECTS ? (
        <Themed tone="muted">{`… and ${permission.effects.length - MAX_EFFECTS} more`}</Themed>
      ) : null}
      <Preview rows={previewRows(permission.preview, columns - 4)} scroll={card.scroll} height={height} />
      {words ? (
        <LineField label="Why not? " buffer={words} columns={columns - 4} hint="Enter denies · Esc goes back" />
      ) : (
        <Options card={card} isTight={isTight} />
      )}
      {armed ? null : <Themed tone="muted">…</Themed>}
    </Box>
  );
}

/** As much of the preview as there is room for; the rest is a key away. */
function Preview({
  rows,
  scroll,
  height,
}: {
  readonly rows: readonly Row[];
  readonly scroll: number;
  readonly height: number;
}) {
  const from = Math.min(scroll, Math.max(0, rows.length - height));
  const hidden = rows.length - from - height;
  return (
    <Box flexDirection="column">
      <RowList rows={rows.slice(from, from + height)} />
      {rows.length > height ? (
        <Themed tone="muted">{hidden > 0 ? `↓ ${hidden} more: PgDn` : "The end. PgUp goes back."}</Themed>
      ) : null}
    </Box>
  );
}

function Options({ card: { permission, armed }, isTight }: { readonly card: Card; readonly isTight: boolean }) {
  if (!armed) return null;
  const { options } = permission;
  const rows = options.map((option, at) => {
    const keys = span(`${[...lettersOf(option, options), String(at + 1)].join("/")} `, PLAIN);
    const covers = option.covers && !isTight ? [span(": "), ...visible(option.covers)] : [];
    return row(keys, ...visible(option.name), ...covers);
  });
  if (isTight)
    return <RowText row={row(...rows.flatMap(({ spans }, at) => (at === 0 ? spans : [span(" · "), ...spans])))} />;
  return (
    <Box flexDirection="column">
      <RowList rows={rows} />
      <Themed tone="muted">w deny with words · Esc deny</Themed>
    </Box>
  );
}

import { Box } from "ink";
import { type PermissionCard as Card, lettersOf } from "../state/cards.ts";
import { PLAIN, row, span } from "../text/style.ts";
import { visible, visibleText } from "../text/visible.ts";
import type { Role } from "../theme.ts";
import { LineField } from "./line-field.tsx";
import { effectRow, previewRows } from "./preview-rows.ts";
import { RowList, RowText, Themed } from "./themed.tsx";

const MAX_EFFECTS = 4;
/** Rows of the card besides its preview, and of what must stay in view around it. */
const OTHER_ROWS = 15;

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
  const preview = previewRows(permission.preview, columns - 4);
  const height = Math.max(3, rows - OTHER_ROWS - Math.min(MAX_EFFECTS, permission.effects.length));
  const from = Math.min(card.scroll, Math.max(0, preview.length - height));
  const hidden = preview.length - from - height;
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
      <RowList rows={permission.effects.slice(0, MAX_EFFECTS).map(effectRow)} />
      {permission.effects.length > MAX_EFFECTS ? (
        <Themed tone="muted">{`… and ${permission.effects.length - MAX_EFFECTS} more`}</Themed>
      ) : null}
      <RowList rows={preview.slice(from, from + height)} />
      {preview.length > height ? (
        <Themed tone="muted">
          {hidden > 0 ? `↓ ${hidden} more ${hidden === 1 ? "row" : "rows"}: PgDn` : "The end. PgUp goes back."}
        </Themed>
      ) : null}
      {words ? (
        <LineField label="Why not? " buffer={words} columns={columns - 4} hint="Enter denies · Esc goes back" />
      ) : (
        <Options card={card} />
      )}
      {armed ? null : <Themed tone="muted">…</Themed>}
    </Box>
  );
}

function Options({ card: { permission, armed } }: { readonly card: Card }) {
  if (!armed) return null;
  const { options } = permission;
  return (
    <Box flexDirection="column">
      {options.map((option, at) => (
        <RowText
          key={option.optionId}
          row={row(
            span(`${[...lettersOf(option, options), String(at + 1)].join("/")} `, PLAIN),
            ...visible(option.name),
            ...(option.covers ? [span(": "), ...visible(option.covers)] : []),
          )}
        />
      ))}
      <Themed tone="muted">w deny with words · Esc deny</Themed>
    </Box>
  );
}

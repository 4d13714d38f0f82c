import { Box } from "ink";
import type { PermissionCard as Card } from "../state/cards.ts";
import { row, span, visible, visibleText } from "../text/index.ts";
import type { Role } from "../theme.ts";
import { LineField } from "./line-field.tsx";
import { type PermissionLayout, permissionLayout } from "./permission-layout.ts";
import { effectRow } from "./preview-rows.ts";
import { RowList, RowText, Themed } from "./themed.tsx";

const riskRoles: Record<Card["permission"]["risk"], Role> = { safe: "success", medium: "warning", high: "error" };
const riskWords: Record<Card["permission"]["risk"], string> = {
  safe: "safe",
  medium: "medium risk",
  high: "high risk",
};

type Props = {
  readonly card: Card;
  readonly waiting: number;
  readonly columns: number;
  readonly rows: number;
  readonly elsewhere: boolean;
  /** Which subagent asks; undefined: the agent the person talks to. */
  readonly asker: string | undefined;
};

/** May this call run? Everything a person needs to decide it, and the keys that do. */
export function PermissionCard({ card, waiting, columns, rows, elsewhere, asker }: Props) {
  const { permission, armed, words } = card;
  const layout = permissionLayout(card, { columns, rows, elsewhere });
  const { isLow, effects, moreEffects, answers } = layout;
  const role = riskRoles[permission.risk];
  const where = elsewhere ? `From session ${card.sessionId}, which works in the background.` : undefined;
  const said = [where, asker].filter((each) => each !== undefined);
  const reason = isLow ? [...said, permission.reason].join(" ") : permission.reason;
  return (
    <Box flexDirection="column" borderStyle="round" borderColor={role === "error" ? "red" : "yellow"} paddingX={1}>
      <Box justifyContent="space-between">
        <RowText row={row(...visible(permission.title))} />
        <Themed tone={role}>{`  ${riskWords[permission.risk]}${waiting > 1 ? ` · 1 of ${waiting}` : ""}`}</Themed>
      </Box>
      {(isLow ? [] : said).map((each) => (
        <Themed key={each} tone="warning">
          {visibleText(each)}
        </Themed>
      ))}
      <Themed tone="muted">{visibleText(reason)}</Themed>
      <RowList rows={effects.map(effectRow)} />
      {moreEffects > 0 ? <Themed tone="muted">{`… and ${moreEffects} more`}</Themed> : null}
      <Preview layout={layout} tooEarly={card.tooEarly === true} />
      {words ? (
        <LineField
          label="Why not? "
          buffer={words}
          columns={columns - 4}
          {...(isLow ? {} : { hint: "Enter denies · Esc goes back" })}
        />
      ) : (
        <RowList rows={armed ? answers : [row(span("…"))]} />
      )}
    </Box>
  );
}

/** As much of the preview as there is room for; the rest is a key away. */
function Preview({ layout, tooEarly }: { readonly layout: PermissionLayout; readonly tooEarly: boolean }) {
  const { shown, hidden, maxScroll } = layout;
  const rest = tooEarly ? `PgDn to see the rest first: ${hidden} more` : `↓ ${hidden} more: PgDn`;
  return (
    <Box flexDirection="column">
      <RowList rows={shown} />
      {maxScroll > 0 ? (
        <Themed tone={tooEarly && hidden > 0 ? "warning" : "muted"}>
          {hidden > 0 ? rest : "The end. PgUp goes back."}
        </Themed>
      ) : null}
    </Box>
  );
}

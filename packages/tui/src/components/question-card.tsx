import { Box } from "ink";
import type { QuestionCard as Card } from "../state/cards.ts";
import { row, sanitise, span, visible, visibleText, wrapSpans } from "../text/index.ts";
import { LineField } from "./line-field.tsx";
import { isLowScreen } from "./permission-layout.ts";
import { RowList, RowText, Themed } from "./themed.tsx";

/** Rows besides the question and the answers: on a low screen borders, field, keys and a row of the transcript. */
const LOW_OTHER = 5;
const OTHER = 12;

type Props = {
  readonly card: Card;
  readonly waiting: number;
  readonly columns: number;
  readonly rows: number;
  readonly asker: string | undefined;
};

/** A question of the agent: an answer by number, in words, or none. */
export function QuestionCard({ card, waiting, columns, rows, asker }: Props) {
  const { question, words, armed } = card;
  const lines = sanitise(question.message)
    .split("\n")
    .flatMap((line) => wrapSpans([span(line)], columns - 4));
  const isLow = isLowScreen({ rows });
  const height = Math.max(isLow ? 1 : 2, rows - (isLow ? LOW_OTHER : OTHER) - question.options.length);
  const from = Math.min(card.scroll, Math.max(0, lines.length - height));
  const canSend = question.freeText ? "Enter sends · " : "";
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      {isLow ? null : (
        <Themed tone="info">{`${asker ? visibleText(asker) : "A question"}${waiting > 1 ? ` · 1 of ${waiting}` : ""}`}</Themed>
      )}
      <RowList rows={lines.slice(from, from + height)} />
      {question.options.map((option, at) => (
        <RowText key={option.optionId} row={row(span(`${at + 1} `), ...visible(option.name))} />
      ))}
      {armed && question.freeText ? <LineField label="> " buffer={words} columns={columns - 4} /> : null}
      <Themed tone="muted">{armed ? `${canSend}Esc gives no answer` : "…"}</Themed>
    </Box>
  );
}

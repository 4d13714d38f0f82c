import { Box } from "ink";
import type { QuestionCard as Card } from "../state/cards.ts";
import { row, sanitise, span, visible, wrapSpans } from "../text/index.ts";
import { LineField } from "./line-field.tsx";
import { RowList, RowText, Themed } from "./themed.tsx";

type Props = { readonly card: Card; readonly waiting: number; readonly columns: number; readonly rows: number };

/** A question of the agent: an answer by number, in words, or none. */
export function QuestionCard({ card, waiting, columns, rows }: Props) {
  const { question, words, armed } = card;
  const lines = sanitise(question.message)
    .split("\n")
    .flatMap((line) => wrapSpans([span(line)], columns - 4));
  const height = Math.max(2, rows - 12 - question.options.length);
  const from = Math.min(card.scroll, Math.max(0, lines.length - height));
  const canSend = question.freeText ? "Enter sends · " : "";
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Themed tone="info">{waiting > 1 ? `A question · 1 of ${waiting}` : "A question"}</Themed>
      <RowList rows={lines.slice(from, from + height)} />
      {question.options.map((option, at) => (
        <RowText key={option.optionId} row={row(span(`${at + 1} `), ...visible(option.name))} />
      ))}
      {armed && question.freeText ? <LineField label="> " buffer={words} columns={columns - 4} /> : null}
      <Themed tone="muted">{armed ? `${canSend}Esc gives no answer` : "…"}</Themed>
    </Box>
  );
}

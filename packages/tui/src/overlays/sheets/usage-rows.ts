import type { UsageSum } from "@harness/protocol";
import { shortCost } from "../../figures/short-cost.ts";
import { tokenCount } from "../../figures/token-count.ts";
import { padRow, type Row, row, sanitiseLine, span, style, truncateRow, wrapSpans } from "../../text/index.ts";
import type { UsageSheet } from "./state.ts";

const HEADING = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ERROR = style({ fg: "error" });
const NAME_COLUMNS = 26;
const COST_COLUMNS = 9;
const EMPTY = row(span(" "));

/** `12 requests · 45.2k in, 40k cached, 3.1k out`; counts that no server reported are left out. */
type Sum = Omit<UsageSum, "requests"> & { requests?: number };

function sumText({ requests, usage }: Sum): string {
  const { inputTokens, cacheReadTokens, outputTokens } = usage;
  const tokens = [
    ...(inputTokens === undefined ? [] : [`${tokenCount(inputTokens)} in`]),
    ...(cacheReadTokens ? [`${tokenCount(cacheReadTokens)} cached`] : []),
    ...(outputTokens === undefined ? [] : [`${tokenCount(outputTokens)} out`]),
  ].join(", ");
  const count = requests === undefined ? [] : [`${requests} ${requests === 1 ? "request" : "requests"}`];
  return [...count, ...(tokens === "" ? [] : [tokens])].join(" · ");
}

function costLabel({ requests, cost }: Sum): string {
  const isFree = requests !== 0 && cost.usd === 0 && cost.unpricedRequests === 0;
  return isFree ? "free" : shortCost(cost, "unknown");
}

function sumRow(name: string, sum: Sum): Row {
  const left = padRow(truncateRow(row(span(`  ${sanitiseLine(name)}`)), NAME_COLUMNS - 1), NAME_COLUMNS);
  const money = padRow(row(span(costLabel(sum))), COST_COLUMNS);
  return row(...left.spans, ...money.spans, span(sumText(sum), MUTED));
}

/** Tokens and cost of the open session, of today, and of today by model. */
export function usageRows({ usage, problem }: UsageSheet, columns: number): Row[] {
  const head = [row(span("Tokens and cost", HEADING)), EMPTY];
  if (problem !== undefined) return [...head, ...wrapSpans([span(sanitiseLine(problem), ERROR)], columns)];
  if (!usage) return [...head, row(span("  Loading…", MUTED))];
  const { day, today, session, turn, byModel } = usage;
  const sums = [...(turn ? [turn] : []), ...(session ? [session] : []), today, ...byModel];
  // "unknown" needs no explanation.
  const isPartial = sums.some((sum) => sum.cost.unpricedRequests > 0 && costLabel(sum) !== "unknown");
  return [
    ...head,
    ...(turn ? [sumRow("Last turn", turn)] : []),
    ...(session ? [sumRow("This session", session)] : []),
    sumRow(`Today, ${day}`, today),
    ...(byModel.length > 0 ? [EMPTY, row(span(`By model, ${day}`, HEADING))] : []),
    ...byModel.map((each) => sumRow(`${each.provider}/${each.model.replace(/^(?:\/|[A-Za-z]:\\).*[/\\]/, "")}`, each)),
    ...(isPartial ? [EMPTY, row(span("  ?: some requests have no known price and are not counted.", MUTED))] : []),
  ];
}

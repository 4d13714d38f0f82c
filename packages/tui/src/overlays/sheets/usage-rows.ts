import type { Hud, UsageSum } from "@harness/protocol";
import { placedModel, placeInUse } from "../../figures/model-place.ts";
import { shortCost } from "../../figures/short-cost.ts";
import { tokenCount } from "../../figures/token-count.ts";
import {
  padRow,
  type Row,
  row,
  sanitiseLine,
  span,
  stringWidth,
  style,
  truncateRow,
  wrapSpans,
} from "../../text/index.ts";
import type { UsageSheet } from "./state.ts";

const HEADING = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ERROR = style({ fg: "error" });
const NAME_COLUMNS = 26;
const MOST_NAME_COLUMNS = 44;
/** Cost and tokens of a sum. */
const SUM_COLUMNS = 54;
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

function sumRow(name: string, sum: Sum, nameColumns: number): Row {
  const left = padRow(truncateRow(row(span(`  ${sanitiseLine(name)}`)), nameColumns - 1), nameColumns);
  const money = padRow(row(span(costLabel(sum))), COST_COLUMNS);
  return row(...left.spans, ...money.spans, span(sumText(sum), MUTED));
}

/** `hud`: the model in use, which names its server. */
type UsageSpace = { columns: number; hud: Hud | undefined };

/** Tokens and cost of the open session, of today, and of today by model. */
export function usageRows({ usage, problem }: UsageSheet, { columns, hud }: UsageSpace): Row[] {
  const head = [row(span("Tokens and cost", HEADING)), EMPTY];
  if (problem !== undefined) return [...head, ...wrapSpans([span(sanitiseLine(problem), ERROR)], columns)];
  if (!usage) return [...head, row(span("  Loading…", MUTED))];
  const { day, today, session, turn, byModel } = usage;
  const sums = [...(turn ? [turn] : []), ...(session ? [session] : []), today, ...byModel];
  // "unknown" needs no explanation.
  const isPartial = sums.some((sum) => sum.cost.unpricedRequests > 0 && costLabel(sum) !== "unknown");
  const models = byModel.map((each) => ({ name: modelName(each, hud), sum: each }));
  const longest = Math.max(...models.map(({ name }) => stringWidth(name))) + 3;
  const nameColumns = Math.max(NAME_COLUMNS, Math.min(longest, MOST_NAME_COLUMNS, columns - SUM_COLUMNS));
  const rowOf = (name: string, sum: Sum) => sumRow(name, sum, nameColumns);
  return [
    ...head,
    ...(turn ? [rowOf("Last turn", turn)] : []),
    ...(session ? [rowOf("This session", session)] : []),
    rowOf(`Today, ${day}`, today),
    ...(byModel.length > 0 ? [EMPTY, row(span(`By model, ${day}`, HEADING))] : []),
    ...models.map(({ name, sum }) => rowOf(name, sum)),
    ...(isPartial ? [EMPTY, row(span("  ?: some requests have no known price and are not counted.", MUTED))] : []),
  ];
}

/** A model that is a file by the file's own name. */
function modelName({ provider, model }: { provider: string; model: string }, hud: Hud | undefined): string {
  const place = provider === hud?.provider && model === hud.model ? placeInUse(hud) : undefined;
  const name = model.replace(/^(?:\/|[A-Za-z]:\\).*[/\\]/, "");
  return placedModel({ provider, model: name, ...(place !== undefined && { place }) });
}

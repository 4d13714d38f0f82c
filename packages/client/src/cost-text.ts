// Money as both fronts write it: an unknown price is called unknown and never 0.

import type { Cost, ModelView } from "@harness/protocol";

/** `$0.12`, `$1,204`; less than a cent as `<$0.01`. */
export function moneyText(usd: number): string {
  if (usd > 0 && usd < 0.01) return "<$0.01";
  const digits = usd >= 1000 ? 0 : 2;
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** `$0.12`, `free`, `unknown`, `$0.12 and 3 requests of unknown price`. */
export function costText({ usd, unpricedRequests }: Cost): string {
  if (unpricedRequests === 0) return usd === 0 ? "free" : moneyText(usd);
  if (usd === 0) return "unknown";
  return `${moneyText(usd)} and ${unpricedRequests} ${unpricedRequests === 1 ? "request" : "requests"} of unknown price`;
}

/** `$3 in, $15 out` per million tokens, `free`, `unknown`. */
export function priceText(price: ModelView["price"]): string {
  if (!price) return "unknown";
  const { input, output } = price;
  if (input === 0 && output === 0) return "free";
  return `$${plain(input)} in, $${plain(output)} out`;
}

/** Prices per million tokens keep as many digits as they need. */
function plain(usd: number): string {
  return usd.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

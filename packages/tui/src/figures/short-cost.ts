import { moneyText } from "@harness/client";
import type { Cost } from "@harness/protocol";

/** `$0.12`, `$0.12+?` if the price of some requests is unknown, `unknown` if all are. */
export function shortCost({ usd, unpricedRequests }: Cost, nobody: string): string {
  if (unpricedRequests === 0) return moneyText(usd);
  return usd === 0 ? nobody : `${moneyText(usd)}+?`;
}

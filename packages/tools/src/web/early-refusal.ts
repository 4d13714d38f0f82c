import { isIP } from "node:net";
import { addressProblem } from "./guarded-exchange.ts";
import { isAllowed, privateProblem, readWebAddress } from "./web-address.ts";
import type { WebPorts } from "./web-ports.ts";

/**
 * Why an address would be refused whatever the user answers, as a sentence, judging by its text only: nothing is looked
 * up, so that no name server sees it.
 */
export function earlyRefusal(url: string, { allowedPrivate, isSecret, egress }: WebPorts): string | undefined {
  const rules = { allowedPrivate: allowedPrivate(), isSecret };
  const address = readWebAddress(url, rules);
  if ("problem" in address) return address.problem;
  if (isIP(address.host) !== 0) {
    const problem = addressProblem(address.host, address, rules);
    if (problem !== undefined) return problem;
  }
  if (!egress.localOnly || isAllowed(address, rules)) return undefined;
  return `In local-only mode, harness reaches only places that a rule names: \`${privateProblem(address).needs}\`.`;
}

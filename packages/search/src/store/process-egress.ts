import type { Egress } from "@harness/core";
import { isOwnNetwork } from "@harness/host";

/**
 * The way out of the processes that search and index. The program that started them has asked its guard, which lists the
 * request; here each address that a name stands for is judged once more.
 */
export function processEgress(localOnly: boolean): Egress {
  const judge = (address: string) =>
    isOwnNetwork(address)
      ? undefined
      : `${address} is not on this machine or in a private network, and harness is in local-only mode.`;
  return {
    localOnly,
    leave: () => (localOnly ? { judge } : {}),
    barrier: async () => undefined,
  };
}

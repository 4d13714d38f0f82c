import type { LookupFunction } from "node:net";
import { EgressRefused } from "@harness/core";

export type JudgedLookup = LookupFunction;

/**
 * Looks names up for a connection, which then goes to these very addresses: no later answer of a name server counts.
 * Fails with `EgressRefused` when any address may not be connected to.
 */
export function judgedLookup(judge: (address: string) => string | undefined): JudgedLookup {
  return (hostname, options, callback) => {
    const { lookup } = process.getBuiltinModule("node:dns");
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      for (const { address } of addresses) {
        const refused = judge(address);
        if (refused !== undefined) return callback(new EgressRefused(refused), []);
      }
      const [first] = addresses;
      if (options.all || !first) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

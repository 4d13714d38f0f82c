import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** Returns why an address may not be connected to; undefined if it may. */
export type AddressJudge = (address: string) => string | undefined;
/** Resolves every address of a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** The judge's sentence. */
export class AddressRefusedError extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Resolves names for a connection, which then goes to exactly these addresses: later answers of a name server are not
 * used. Fails with `AddressRefusedError` if any of the addresses may not be connected to.
 */
export function judgedLookup(judge: AddressJudge, resolve: Resolve = systemAddresses): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      for (const { address } of addresses) {
        const refused = judge(address);
        if (refused !== undefined) return callback(new AddressRefusedError(refused), []);
      }
      const [first] = addresses;
      if (!first) return callback(Object.assign(new Error(`no address of ${hostname}`), { code: "ENOTFOUND" }), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    };
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, []));
  };
}

function systemAddresses(host: string): Promise<LookupAddress[]> {
  return process.getBuiltinModule("node:dns/promises").lookup(host, { all: true });
}

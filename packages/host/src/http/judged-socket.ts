import { isIP, type Socket } from "node:net";
import { type AddressJudge, AddressRefusedError, judgedLookup } from "./judged-lookup.ts";

export type SocketAddress = {
  host: string;
  port: number;
  /** Absent: any address. */
  judge?: AddressJudge | undefined;
};

/**
 * A connection for a client that speaks another protocol than HTTP. Rejects with Node's error, or with
 * `AddressRefusedError`.
 */
export function openSocket({ host, port, judge }: SocketAddress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Names are judged after their lookup, which numbers do not have.
    const refused = isIP(host) === 0 ? undefined : judge?.(host);
    if (refused !== undefined) return reject(new AddressRefusedError(refused));
    const { connect } = process.getBuiltinModule("node:net");
    const socket = connect({ host, port, ...(judge && { lookup: judgedLookup(judge) }) });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

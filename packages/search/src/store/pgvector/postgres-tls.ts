import { isIP, type Socket } from "node:net";
import { isOwnNetwork } from "@harness/host";
import { StoreError } from "../store-error.ts";

/** `host` or `servername`: who has to prove its name. */
type VerifiedTls = { rejectUnauthorized: true; host: string } | { rejectUnauthorized: true; servername: string };

/** The host of an address, an IPv6 number without brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

/**
 * The option `ssl` of the client; undefined: no TLS. Over the internet, the password and the code are not sent in the
 * clear, unless the address has an `sslmode` (as in PostgreSQL's manual, "SSL Mode Descriptions").
 */
export function tlsOf(url: string): VerifiedTls | "require" | "prefer" | undefined {
  const host = hostOf(url);
  const mode = new URL(url).searchParams.get("sslmode") ?? (isFar(host) ? "verify-full" : "disable");
  if (mode === "disable") return undefined;
  if (mode === "require") return "require";
  if (mode === "allow" || mode === "prefer") return "prefer";
  // Otherwise Node compares the certificate of a number with the name localhost.
  return isIP(host) === 0 ? { rejectUnauthorized: true, servername: host } : { rejectUnauthorized: true, host };
}

/** The answer to a request for TLS is one letter; the client goes on whatever it is, and waits for its time to pass. */
export function refuseClearText(socket: Socket, shown: string): void {
  socket.once("data", (first: Uint8Array) => {
    if (first[0] !== "N".charCodeAt(0)) return;
    const way = "turn it on there, or put `?sslmode=disable` into the address if the network is yours.";
    socket.destroy(new StoreError(`PostgreSQL at ${shown} has no TLS: ${way}`));
  });
}

function isFar(host: string): boolean {
  const isNamedNear = !/[.:]/.test(host) || /\.(local|lan|internal|home\.arpa)$/.test(host);
  return !isNamedNear && !isOwnNetwork(host);
}

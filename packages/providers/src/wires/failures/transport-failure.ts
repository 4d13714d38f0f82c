import { asRecord } from "../../json/lenient-json.ts";
import { type Phase, TimeoutFailure } from "../http/exchange.ts";
import type { Asked, Explained } from "./explained.ts";

type Row = {
  codes: RegExp;
  retryable: boolean;
  /** Completes "<Vendor> at <address> …". */
  describe(asked: Asked): string;
};

const rows: readonly Row[] = [
  {
    codes: /^EGRESS_REFUSED$/,
    retryable: false,
    describe: () =>
      "was not contacted: harness is in local-only mode, and this is not on this machine or in a private network. " +
      "Choose a local model, or turn local_only off.",
  },
  {
    codes: /^(ECONNREFUSED)$/,
    retryable: false,
    describe: ({ endpoint }) =>
      endpoint.vendor.start === undefined
        ? `refuses connections. Check the address in ${endpoint.vendor.baseUrlEnv}, or choose another provider.`
        : `is not running: ${endpoint.vendor.start}, or choose another provider.`,
  },
  {
    codes: /^(ENOTFOUND)$/,
    retryable: false,
    describe: ({ endpoint }) =>
      `cannot be found: there is no such host name here. Check the network, and ${endpoint.vendor.baseUrlEnv} if it is set.`,
  },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
    retryable: true,
    describe: () => "cannot be reached from here. Check the network.",
  },
  { codes: /^EAI_AGAIN$/, retryable: true, describe: () => "cannot be looked up at the moment. Check the network." },
  {
    codes: /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/,
    retryable: false,
    describe: () =>
      "has a certificate that is not trusted here. If it is your own, name its authority in NODE_EXTRA_CA_CERTS.",
  },
  {
    codes: /^(EPROTO|ERR_SSL_)/,
    retryable: false,
    describe: ({ endpoint }) =>
      `does not speak TLS as expected. Check http or https in ${endpoint.vendor.baseUrlEnv}: ${endpoint.shown}.`,
  },
  { codes: /^HPE_/, retryable: false, describe: () => "answered with something that is not HTTP. Check the address." },
  {
    codes: /^ERR_INVALID_CHAR$/,
    retryable: false,
    describe: ({ endpoint }) =>
      `was not asked: ${endpoint.vendor.keyEnv} holds a character that a key cannot have, such as a line end.`,
  },
  {
    codes: /^ERR_PROXY_/,
    retryable: false,
    describe: () =>
      "could not be reached through the proxy that HTTP_PROXY or HTTPS_PROXY names. Check it, or NO_PROXY.",
  },
  { codes: /^ETIMEDOUT$/, retryable: true, describe: () => "did not answer. Check the network." },
];

const phases: Record<Phase, string> = {
  connect: "could not be connected to",
  answer: "accepted the request but did not answer",
  stream: "stopped in the middle of its reply and sent nothing",
  close: "stopped in the middle of its answer and sent nothing",
  total: "kept the line open, but did not come to the end of its reply",
};

/** Errors of sockets, name look-up, TLS and HTTP, but not Node's complaints about how it is called. */
export function isTransportError(cause: unknown): cause is Error {
  if (cause instanceof TimeoutFailure) return true;
  const { code } = asRecord(cause);
  return typeof code === "string" && (!code.startsWith("ERR_") || OUTER.test(code));
}

const OUTER = /^ERR_(SSL_|TLS_|PROXY_|STREAM_PREMATURE_CLOSE|INVALID_CHAR)/;

/** Explains failures below the API: no connection, a lost one, or silence. */
export function transportFailure(cause: Error & { code?: string }, asked: Asked): Explained {
  const { vendor, shown } = asked.endpoint;
  if (cause instanceof TimeoutFailure) {
    const seconds = cause.limitMs < 1000 ? cause.limitMs / 1000 : Math.round(cause.limitMs / 1000);
    const time = cause.phase === "total" ? `in ${seconds / 3600} h` : `for ${seconds} s`;
    // After hours of waiting, no retry.
    return network(`${vendor.name} at ${shown} ${phases[cause.phase]} ${time}.`, cause.phase !== "total");
  }
  const code = cause.code ?? "";
  const row = rows.find((each) => each.codes.test(code));
  if (row) return network(`${vendor.name} at ${shown} ${row.describe(asked)}`, row.retryable);
  return network(`The connection to ${vendor.name} at ${shown} broke before the reply was complete.`, true);
}

function network(message: string, retryable: boolean): Explained {
  return { failure: { kind: "network", message }, retryable };
}

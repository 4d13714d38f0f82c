import { asRecord } from "../../json/lenient-json.ts";
import { addressName } from "../endpoint/address-name.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type Phase, RequestTimeoutError } from "../http/exchange.ts";
import type { ExplainedFailure, FailedRequest } from "./explained.ts";

type Row = {
  codes: RegExp;
  retryable: boolean;
  /** Nobody listens there, as while a server restarts. */
  isAway?: true;
  /** Completes "<Vendor> at <address> …". */
  describe(request: FailedRequest, cause: Error): string;
};

const rows: readonly Row[] = [
  {
    codes: /^EGRESS_REFUSED$/,
    retryable: false,
    describe: () =>
      "was not contacted: harness is in local-only mode, and this address is not on this machine or in a private network. " +
      "Choose a local model, or turn local_only off.",
  },
  {
    codes: /^(ECONNREFUSED)$/,
    retryable: false,
    isAway: true,
    describe: ({ endpoint }) =>
      endpoint.vendor.start === undefined
        ? `refuses connections. Check the address in ${addressName(endpoint.vendor, endpoint.addressFlag)}, or choose another provider.`
        : `is not running: ${endpoint.vendor.start}, ${orCheck(endpoint)}or choose another provider.`,
  },
  {
    codes: /^(ENOTFOUND)$/,
    retryable: false,
    describe: ({ endpoint: { vendor, addressFlag } }) => {
      const where = addressFlag === undefined ? `${addressName(vendor)} if it is set` : `the address in ${addressFlag}`;
      return `cannot be found: the host name does not resolve. Check the network, and ${where}.`;
    },
  },
  {
    codes: /^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
    retryable: true,
    isAway: true,
    describe: () => "cannot be reached from here. Check the network.",
  },
  { codes: /^EAI_AGAIN$/, retryable: true, describe: () => "cannot be resolved at the moment. Check the network." },
  {
    codes: /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/,
    retryable: false,
    describe: () =>
      "has a certificate that this machine does not trust. If it is your own, add its authority to the system's, or name its file in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS.",
  },
  {
    codes: /^(EPROTO|ERR_SSL_)/,
    retryable: false,
    describe: ({ endpoint }) =>
      `does not speak TLS as expected. Check http or https in ${addressName(endpoint.vendor, endpoint.addressFlag)}: ${endpoint.shown}.`,
  },
  { codes: /^HPE_/, retryable: false, describe: () => "did not answer with HTTP. Check the address." },
  {
    codes: /^ERR_INVALID_CHAR$/,
    retryable: false,
    describe: ({ endpoint }) =>
      `was not asked: ${endpoint.vendor.keyEnv} contains a character that a key cannot have, such as a line break.`,
  },
  {
    codes: /^ERR_PROXY_/,
    retryable: false,
    describe: (_asked, { message }) => `was not reached. ${message}`,
  },
  { codes: /^ETIMEDOUT$/, retryable: true, isAway: true, describe: () => "did not answer. Check the network." },
];

/** An address on the command line is easily mistyped; others have worked before. */
function orCheck({ addressFlag }: Endpoint): string {
  return addressFlag === undefined ? "" : `check the address in ${addressFlag}, `;
}

const phases: Record<Phase, string> = {
  connect: "did not accept the connection",
  answer: "accepted the request but did not answer",
  stream: "stopped in the middle of its reply and sent nothing",
  close: "stopped in the middle of its answer and sent nothing",
  total: "did not finish its reply",
};

/** Errors of sockets, name lookup, TLS and HTTP, but not Node's complaints about misuse. */
export function isTransportError(cause: unknown): cause is Error {
  if (cause instanceof RequestTimeoutError) return true;
  const { code } = asRecord(cause);
  return typeof code === "string" && (!code.startsWith("ERR_") || OUTER.test(code));
}

const OUTER = /^ERR_(SSL_|TLS_|PROXY_|STREAM_PREMATURE_CLOSE|INVALID_CHAR)/;

/** Explains failures below the API: no connection, a lost one, or silence. */
export function transportFailure(cause: Error & { code?: string }, request: FailedRequest): ExplainedFailure {
  const { vendor, shown } = request.endpoint;
  if (cause instanceof RequestTimeoutError) {
    const seconds = cause.limitMs < 1000 ? cause.limitMs / 1000 : Math.round(cause.limitMs / 1000);
    const time = cause.phase === "total" ? `in ${seconds / 3600} h` : `for ${seconds} s`;
    // After hours of waiting, no retry.
    const explained = network(`${vendor.name} at ${shown} ${phases[cause.phase]} ${time}.`, cause.phase !== "total");
    return cause.phase === "connect" ? away(explained, request) : explained;
  }
  const code = cause.code ?? "";
  const row = rows.find((each) => each.codes.test(code));
  if (row) {
    const explained = network(`${vendor.name} at ${shown} ${row.describe(request, cause)}`, row.retryable);
    return row.isAway ? away(explained, request) : explained;
  }
  return network(`The connection to ${vendor.name} at ${shown} broke before the reply was complete.`, true);
}

/** A restarting server on or near this machine is back within this time. */
const RESTART_MS = 60_000;

export function away(explained: ExplainedFailure, { endpoint }: FailedRequest): ExplainedFailure {
  return endpoint.near ? { ...explained, awayMs: RESTART_MS } : explained;
}

function network(message: string, retryable: boolean): ExplainedFailure {
  return { failure: { kind: "network", message }, retryable };
}

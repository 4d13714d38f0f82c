import { ProxyError } from "@harness/host";

const rows: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, "its name cannot be looked up at the moment"],
  [/^ECONNREFUSED$/, "nothing answers there"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE)$/, "the connection broke"],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, "it cannot be reached from here"],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT)$/, "it did not answer in time"],
  [/ALERT_CERTIFICATE_REQUIRED/, "it requires a client certificate"],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "its certificate is for another name, so nothing was read"],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "its certificate is not valid today, so nothing was read"],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_UNTRUSTED)/,
    "its certificate is not issued by a trusted authority, so nothing was read; the person can name an authority of " +
      "their own in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS",
  ],
  [/CERT/, "its certificate is not valid, so nothing was read"],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, "it does not speak TLS as expected"],
  [/^HPE_/, "it does not answer in HTTP"],
  [/^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING|ERR_.*BROTLI)/, "what it sent cannot be unpacked"],
];

/** Why a connection failed; completes "Cannot fetch …: ". */
export function connectionProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof ProxyError) return error.message.replace(/\.$/, "");
  const row = rows.find(([codes]) => codes.test(code));
  if (row) return row[1];
  return code === "" ? "the connection failed" : `the connection failed (${code.slice(0, 60)})`;
}

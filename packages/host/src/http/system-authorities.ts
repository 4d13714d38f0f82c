/** Codes of certificates whose authority is not among the known ones. */
const UNKNOWN_AUTHORITY =
  /^(UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_UNTRUSTED)$/;

/**
 * True if a failed request is worth sending again because authorities were added: the system's, or those from
 * SSL_CERT_FILE and SSL_CERT_DIR, besides Node's own and those from NODE_EXTRA_CA_CERTS. They are read only on such a
 * failure, once per process, because it takes tens of milliseconds.
 */
export function trustSystemAuthorities(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !UNKNOWN_AUTHORITY.test(code)) return false;
  const tls = process.getBuiltinModule("node:tls");
  const known = new Set(tls.getCACertificates("default"));
  const added = tls.getCACertificates("system").filter((certificate) => !known.has(certificate));
  if (added.length === 0) return false;
  tls.setDefaultCACertificates([...known, ...added]);
  return true;
}

import { basename, sep } from "node:path";

const EXACT = new Set([
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".htpasswd",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  ".bash_history",
  ".zsh_history",
  ".sh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
]);

/** Names that may hold secrets, as globs of a file name; the expressions below decide, these find candidates. */
export const SECRET_CANDIDATES = [
  ".env*",
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ovpn}",
  "id_*",
  "credentials*",
  "service-account*.json",
  ...EXACT,
];

const NAMES = [
  /^\.env(rc)?$/,
  /^\.env\.(?!example$|sample$|template$|dist$|defaults$)/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ovpn)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?(?!.*\.pub$)/,
  // Not credentials.ts: source code is named so too.
  /^credentials(\.(json|ya?ml|toml|ini|cfg|conf|xml|csv|db|txt))?$/,
  /^service-account.*\.json$/,
];

const FOLDERS = [".ssh", ".aws", ".gnupg", ".kube", ".config/gcloud", ".docker"];

/** Files whose content a search must not bring up by the way; reading one by name is a matter for the gate. Pure. */
export function isSecretFile(path: string): boolean {
  const name = basename(path).toLowerCase();
  if (EXACT.has(name) || NAMES.some((pattern) => pattern.test(name))) return true;
  const unified = `${path.split(sep).slice(0, -1).join("/").toLowerCase()}/`;
  return FOLDERS.some((folder) => unified.includes(`/${folder}/`));
}

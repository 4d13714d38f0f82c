/** Names that may be those of secret files, as globs of a file name: for finding candidates; `isSecret` of core decides. */
export const SECRET_CANDIDATES = [
  ".env*",
  "*.{pem,key,p12,pfx,jks,keystore,kdbx,ovpn}",
  "id_*",
  "credentials*",
  "service-account*.json",
  "{.,_}netrc",
  ".{npmrc,pypirc,git-credentials,htpasswd,pgpass,my.cnf,vault-token,dockercfg}",
  ".*_history",
  "{.history,.zhistory,.histfile,fish_history,consolehost_history.txt}",
];

import { holdsKey } from "../text/key-forms.ts";

const SECRET_NAME = new RegExp(
  [
    /TOKEN|SECRET|PASSW|PASSPHRASE|KEY|AUTH|CREDENTIAL|PRIVATE|COOKIE|WEBHOOK/,
    // As a separate word: `DB_PASS`, `SSHPASS`, `MYSQL_PWD`, `GITLAB_PAT`, `SENTRY_DSN`.
    /PASS(?:_|$)|_PWD$|(?:^|_)(?:PAT|JWT|DSN|CREDS?)(?:_|$)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** Private keys, passwords in addresses and headers; well-known services' keys have their own patterns. */
const SECRET_VALUE = new RegExp(
  [
    /-----BEGIN [A-Z ]*PRIVATE KEY/,
    /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i,
    /\b(?:Bearer|Basic)\s+[\w.~+/=-]{12,}/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** True if a variable likely contains a secret, judging by its name or its value. */
export function isSecretVariable(name: string, value = ""): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value) || holdsKey(value);
}

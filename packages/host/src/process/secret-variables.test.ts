import { expect, it } from "vitest";
import { isSecretVariable } from "./secret-variables.ts";

it.each([
  ...["OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "openai_api_key", "Db_Password"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "NPM_CONFIG__AUTH", "SSH_AUTH_SOCK", "SESSION_COOKIE", "PGPASSWORD"],
  ...[
    "DB_PASS",
    "SSHPASS",
    "PASS",
    "MYSQL_PWD",
    "GITLAB_PAT",
    "SENTRY_DSN",
    "MY_JWT",
    "AZURE_CREDS",
    "SLACK_WEBHOOK_URL",
  ],
  "GPG_PASSPHRASE",
])("the name %s says that it holds a secret", (name) => {
  expect(isSecretVariable(name)).toBe(true);
  expect(isSecretVariable(name, "x")).toBe(true);
});

it.each([
  ...["PATH", "HOME", "PWD", "OLDPWD", "LANG", "LC_ALL", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "OPENAI_BASE_URL"],
  ...["OLLAMA_HOST", "GATEWAY_URL", "AWS_REGION", "AZURE_DEPLOYMENT", "PATTERN", "PASSED", "CREDIT"],
])("the name %s does not", (name) => {
  expect(isSecretVariable(name)).toBe(false);
  expect(isSecretVariable(name, "http://proxy:3128")).toBe(false);
});

it.each([
  "http://u:pass@proxy:3128",
  "postgres://:hunter2@db/x",
  "sk-proj-0123456789abcdefghij",
  "ghp_0123456789abcdefghij",
  "AKIAABCDEFGHIJKLMNOP",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln",
  "-----BEGIN OPENSSH PRIVATE KEY-----\nx",
  "Bearer 0123456789abcdef",
])("the value %j is one, whatever its name", (value) => {
  expect(isSecretVariable("PLAIN", value)).toBe(true);
});

import type { LoginRow } from "../wires/endpoint/login-row.ts";

/**
 * Sign in with ChatGPT for programs on one's own machine, as OpenAI describes it for open-source clients
 * (developers.openai.com/siwc/token-sharing-open-source/sign-in): tokens are for the public API.
 */
export const chatgptLogin: LoginRow = {
  authorizeUrl: "https://auth.openai.com/api/accounts/authorize",
  tokenUrl: "https://auth.openai.com/api/accounts/oauth/token",
  authorizeUrlEnv: "HARNESS_CHATGPT_AUTHORIZE_URL",
  tokenUrlEnv: "HARNESS_CHATGPT_TOKEN_URL",
  clientIdEnv: "HARNESS_CHATGPT_CLIENT_ID",
  redirect: { port: 1455, path: "/auth/callback", anyPort: true },
  scopes: ["openid", "profile", "email", "offline_access", "resource.invoke", "chatgpt.tokens.use.direct"],
  scopesEnv: "HARNESS_CHATGPT_SCOPES",
  extraAuthorizeParams: { resource: "https://api.openai.com/v1" },
  extraTokenParams: { resource: "https://api.openai.com/v1" },
  issuedClient: { entry: "dynamic_agent_client", nameParam: "agent_name_hint", hostParam: "ext_agent_host_id" },
  pasteStyle: "url",
  tokenStyle: "form",
  renewEarlySeconds: 180,
  accountClaim: ["https://api.openai.com/auth", "chatgpt_account_id"],
};

/**
 * Addresses and scopes that programs use to log in to a Claude subscription. Anthropic documents none for third
 * parties; docs/auth.md describes what it allows. Each can be replaced through its variable.
 */
export const claudeLogin: LoginRow = {
  authorizeUrl: "https://claude.ai/oauth/authorize",
  tokenUrl: "https://console.anthropic.com/v1/oauth/token",
  authorizeUrlEnv: "HARNESS_CLAUDE_AUTHORIZE_URL",
  tokenUrlEnv: "HARNESS_CLAUDE_TOKEN_URL",
  clientIdEnv: "HARNESS_CLAUDE_CLIENT_ID",
  redirect: { port: 53_692, path: "/callback" },
  pasteRedirect: "https://console.anthropic.com/oauth/code/callback",
  pasteRedirectEnv: "HARNESS_CLAUDE_PASTE_REDIRECT",
  scopes: ["org:create_api_key", "user:profile", "user:inference"],
  scopesEnv: "HARNESS_CLAUDE_SCOPES",
  extraAuthorizeParams: { code: "true" },
  pasteStyle: "code#state",
  tokenStyle: "json",
  renewEarlySeconds: 300,
};

import type { Vendor } from "../wires/endpoint/vendor.ts";
import { budgetModels, interleavedThinking } from "./hosted-vendors.ts";
import { chatgptLogin, claudeLogin } from "./login-rows.ts";
import { vendorRow } from "./vendor-row.ts";

/**
 * Subscriptions that are used with a login. The user is responsible for the client id and for permission under the
 * vendor's terms (docs/auth.md).
 */
export const subscriptionVendors: readonly Vendor[] = [
  vendorRow({
    id: "chatgpt",
    name: "ChatGPT",
    api: "openai-responses",
    catalogue: "none",
    baseUrl: "https://api.openai.com/v1",
    keyEnv: "CHATGPT_ACCESS_TOKEN",
    headersFromEnv: { "chatgpt-account-id": "CHATGPT_ACCOUNT_ID" },
    defaultModel: "gpt-5.5",
    login: chatgptLogin,
    models: "Name one that the subscription has with `--model`.",
    maker: "openai",
    quirks: {
      // For a CHATGPT_BASE_URL of https://chatgpt.com/backend-api.
      pathElsewhere: "/codex/responses",
      accountHeader: "chatgpt-account-id",
      instructionsRequired: true,
      without: ["max_output_tokens", "temperature"],
      thinkingModels: /./,
    },
  }),
  vendorRow({
    id: "claude",
    name: "Claude",
    api: "anthropic",
    catalogue: "none",
    baseUrl: "https://api.anthropic.com/v1",
    keyEnv: "CLAUDE_ACCESS_TOKEN",
    defaultModel: "claude-sonnet-5-5",
    // Without the first, a login token is not accepted in place of a key.
    headers: { "anthropic-beta": `oauth-2025-04-20,${interleavedThinking}` },
    login: claudeLogin,
    models: "Name one that the subscription has with `--model`.",
    maker: "anthropic",
    quirks: { thinkingBudgetFor: budgetModels },
  }),
];

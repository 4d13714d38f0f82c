import { describe, expect, it } from "vitest";
import { chatgptLogin, claudeLogin } from "../vendors/login-rows.ts";
import { locateLogin, tokenUrlOf } from "./login-target.ts";

const chatgpt = { id: "chatgpt", name: "ChatGPT", row: chatgptLogin };
const claude = { id: "claude", name: "Claude", row: claudeLogin };

function located(...asked: Parameters<typeof locateLogin>) {
  const found = locateLogin(...asked);
  if (!found.ok) throw new Error(found.problem);
  return found.target;
}

describe("the needs of a login", () => {
  it("are the names of its variables: harness includes no client id", () => {
    expect(locateLogin(chatgpt, {})).toEqual({
      ok: false,
      problem:
        "Logging in to ChatGPT needs HARNESS_CHATGPT_CLIENT_ID, as issued by its vendor for a program of yours. An API key needs no login.",
    });
    expect(locateLogin(claude, { HARNESS_CLAUDE_CLIENT_ID: " " })).toEqual({
      ok: false,
      problem:
        "Logging in to Claude needs HARNESS_CLAUDE_CLIENT_ID, as issued by its vendor for a program of yours. An API key needs no login.",
    });
  });

  it("come from the environment before the row", () => {
    const target = located(chatgpt, { HARNESS_CHATGPT_CLIENT_ID: "mine" });
    expect([target.clientId, target.tokenUrl.host, target.scopes]).toEqual([
      "mine",
      "auth.openai.com",
      chatgptLogin.scopes,
    ]);
    const env = {
      HARNESS_CLAUDE_CLIENT_ID: "mine",
      HARNESS_CLAUDE_AUTHORIZE_URL: "https://a.example/authorize?x=1",
      HARNESS_CLAUDE_TOKEN_URL: "https://a.example/token",
      HARNESS_CLAUDE_SCOPES: "one two",
      HARNESS_CLAUDE_PASTE_REDIRECT: "https://a.example/code",
    };
    expect(located(claude, env)).toMatchObject({ scopes: ["one", "two"], pasteRedirect: "https://a.example/code" });
    expect(tokenUrlOf(claude, env)?.href).toBe("https://a.example/token");
    expect(tokenUrlOf(claude, {})?.href).toBe(claudeLogin.tokenUrl);
  });

  it.each([
    ["http://a.example/token", false],
    ["http://10.0.0.1/token", false],
    ["https://name:word@a.example/token", false],
    ["https://a.example/token#x", false],
    ["ftp://a.example", false],
    ["nowhere", false],
    ["http://127.0.0.1:8080/token", true],
    ["http://localhost/token", true],
    ["https://a.example/token", true],
  ])("require TLS or this machine for tokens: %s", (url, isFine) => {
    const found = locateLogin(chatgpt, { HARNESS_CHATGPT_CLIENT_ID: "mine", HARNESS_CHATGPT_TOKEN_URL: url });
    expect(found.ok).toBe(isFine);
    if (!found.ok) expect(found.problem).toMatch(/^HARNESS_CHATGPT_TOKEN_URL is not a valid login address/);
  });
});

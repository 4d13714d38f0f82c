import { describe, expect, it } from "vitest";
import { createRedactor, secretsIn } from "./redactor.ts";

const KEY = "sk-live-0123456789abcdef";

describe("secrets in an environment", () => {
  it.each<[string, string, boolean]>([
    ["OPENAI_API_KEY", KEY, true],
    ["ODD_NAME", KEY, true],
    ["GITHUB_TOKEN", "ghp_0123456789abcdef", true],
    ["AWS_SECRET_ACCESS_KEY", "0123456789abcdef", true],
    ["db_password", "correct horse battery", true],
    ["GITHUB_TOKEN", "short", false],
    ["VLLM_API_KEY", "EMPTY", false],
    ["HOME", "/home/somebody/or/other", false],
    ["AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/secrets/token", false],
    ["OAUTH_TOKEN_URL", "https://login.example/token", false],
  ])("%s=%s: %s", (name, value, isSecret) => {
    expect(secretsIn({ [name]: value }, ["ODD_NAME"])).toEqual(isSecret ? [{ name, value }] : []);
  });

  it("are taken without the space around them", () => {
    expect(secretsIn({ OPENAI_API_KEY: ` ${KEY}\n` }, [])).toEqual([{ name: "OPENAI_API_KEY", value: KEY }]);
  });
});

describe("a redactor", () => {
  const redact = createRedactor([
    { name: "A", value: KEY },
    { name: "LONGER", value: `${KEY}-and-more` },
    { name: "ODD", value: 'a"b\\c$d&e (f)[g]{h}|i*' },
    { name: "SHORT", value: "ollama" },
  ]);

  it.each<[string, string, string]>([
    ["a secret", `key: ${KEY}.`, "key: [secret A]."],
    ["every one", `${KEY}${KEY}\n${KEY}`, "[secret A][secret A]\n[secret A]"],
    ["the longer of two", `${KEY}-and-more ${KEY}-and-less`, "[secret LONGER] [secret A]-and-less"],
    ["odd characters", 'x a"b\\c$d&e (f)[g]{h}|i* y', "x [secret ODD] y"],
    ["a secret in JSON", JSON.stringify({ v: 'a"b\\c$d&e (f)[g]{h}|i*' }), '{"v":"[secret ODD]"}'],
    ["a secret in a URL", `?k=${encodeURIComponent('a"b\\c$d&e (f)[g]{h}|i*')}&l`, "?k=[secret ODD]&l"],
    [
      "no word",
      "ollama run ollama, and a part: sk-live-0123456789",
      "ollama run ollama, and a part: sk-live-0123456789",
    ],
    ["nothing", "", ""],
  ])("hides %s", (_name, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("that knows no secret changes nothing", () => {
    expect(createRedactor([])(KEY)).toBe(KEY);
    expect(createRedactor([{ name: "A", value: "" }])("text")).toBe("text");
  });

  it("takes values that are not well-formed", () => {
    expect(createRedactor([{ name: "A", value: "\ud800123456789abcdef" }])("\ud800123456789abcdef!")).toBe(
      "[secret A]!",
    );
  });

  it("is soon done with its own output", () => {
    const once = redact(`x ${KEY} y`);
    expect(redact(once)).toBe(once);
  });
});

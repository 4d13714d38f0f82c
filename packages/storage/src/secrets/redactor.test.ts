import { describe, expect, it } from "vitest";
import { createRedactor, secretsIn } from "./redactor.ts";

const KEY = "sk-live-0123456789abcdef";

describe("secretsIn", () => {
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
  ])("finds a secret in %s=%s: %s", (name, value, isSecret) => {
    expect(secretsIn({ [name]: value }, ["ODD_NAME"])).toEqual(isSecret ? [{ name, value }] : []);
  });

  it("trims the value of a secret", () => {
    expect(secretsIn({ OPENAI_API_KEY: ` ${KEY}\n` }, [])).toEqual([{ name: "OPENAI_API_KEY", value: KEY }]);
  });
});

describe("a redactor", () => {
  const redactor = createRedactor([
    { name: "A", value: KEY },
    { name: "LONGER", value: `${KEY}-and-more` },
    { name: "ODD", value: 'a"b\\c$d&e (f)[g]{h}|i*' },
    { name: "SHORT", value: "ollama" },
  ]);
  const redact = redactor.hide;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

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

  it("without secrets changes nothing", () => {
    expect(createRedactor([]).hide("0123456789abcdef0123")).toBe("0123456789abcdef0123");
    expect(createRedactor([{ name: "A", value: "" }]).hide("text")).toBe("text");
  });

  it("accepts secrets that are not well-formed", () => {
    const odd = createRedactor([{ name: "A", value: "\ud800123456789abcdef" }]);
    expect(odd.hide("\ud800123456789abcdef!")).toBe("[secret A]!");
  });

  it.each(["", "a", "ab", '{"key":"'])("hides a secret in the base64 of a text, after %j", (before) => {
    const hidden = redact(base64(`${before}${KEY}", and what follows`));
    expect(hidden).toMatch(/^[\w+/]*\[secret A\][\w+/]+=*$/);
    expect(
      redact(
        base64(before + KEY)
          .replaceAll("+", "-")
          .replaceAll("/", "_"),
      ),
    ).toContain("[secret A]");
  });

  it.each([
    ["sk-ant-api03-AbCd1234efGH5678ijKL-9012mnop", "[secret sk-a…mnop]"],
    ["ghp_0123456789abcdefABCDEF0123456789abcd", "[secret ghp_…abcd]"],
    ["AKIAIOSFODNN7EXAMPLE", "[secret AKIA…MPLE]"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nxyz=\n-----END RSA PRIVATE KEY-----", "[secret private key]"],
  ])("hides text in the form of a key: %s", (key, hidden) => {
    expect(redact(`a ${key} b`)).toBe(`a ${hidden} b`);
    expect(redactor.blank(`a ${key} b`)).toBe(`a ${"[secret]".padEnd(key.length, "*")} b`);
  });

  it.each([
    "struct sk_buff_head *sk_alloc_send_skb_internal",
    "sk-fading-circle-container-2 sk-learn-something-else-entirely",
    "pk_primary_identifier_of_table",
    'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) return pem;',
    "eyJ.something.else",
  ])("leaves source code unchanged: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ["no end of anything.", 0],
    [`a whole one: ${KEY}.`, 0],
    [`begins: ${KEY.slice(0, 9)}`, 9],
    ['two words: a"b\\c$d&e (f', 12],
    ["key: eyJhbGciOi.eyJ", 14],
    ["token: ya29.a0Af", 9],
    ["-----BEGIN PRIVATE KEY-----\nMIIE\n", 33],
  ])("returns how much of the end may become a secret: %s", (text, open) => {
    expect(redactor.open(text)).toBe(open);
  });

  it("finishes texts with very many beginnings of keys", () => {
    for (const piece of ["eyJ-", "eyJaaaaaaaa.", "sk-", "-----BEGIN PRIVATE KEY-----"]) {
      const text = piece.repeat(100_000);
      expect(redact(text)).toBe(text);
    }
    expect(redact("--token-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkw.dQw4w9WgXcQ1")).toMatch(
      /^--token-\[secret eyJh/,
    );
  });

  it("does not change its own output", () => {
    const once = redact(`x ${KEY} y`);
    expect(redact(once)).toBe(once);
  });
});

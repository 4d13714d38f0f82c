import { describe, expect, it } from "vitest";
import { chooseProxy } from "./proxy-choice.ts";

const target = new URL("https://llm.example.com/v1");

/** The chosen proxy as displayed, with its variable. */
function chosen(env: Record<string, string>, to: URL | string = target): string {
  const choice = chooseProxy(new URL(to), env);
  if (choice === "direct") return choice;
  return "problem" in choice ? choice.problem : `${choice.variable} ${choice.kind} ${choice.shown}`;
}

describe("the proxy of an address", () => {
  it.each([
    [{}, "direct"],
    [{ HTTPS_PROXY: "" }, "direct"],
    [{ HTTPS_PROXY: " " }, "direct"],
    [{ HTTPS_PROXY: "http://proxy:3128" }, "HTTPS_PROXY http http://proxy:3128"],
    [{ https_proxy: "http://proxy:3128/" }, "https_proxy http http://proxy:3128"],
    [{ HTTPS_PROXY: "127.0.0.1:8080" }, "HTTPS_PROXY http http://127.0.0.1:8080"],
    [{ HTTPS_PROXY: "localhost:8080" }, "HTTPS_PROXY http http://localhost:8080"],
    [{ HTTPS_PROXY: "proxy.corp" }, "HTTPS_PROXY http http://proxy.corp:80"],
    [{ HTTPS_PROXY: "u:p@proxy:8080" }, "HTTPS_PROXY http http://proxy:8080"],
    [{ HTTPS_PROXY: "http://u:p%40@w@proxy:8080" }, "HTTPS_PROXY http http://proxy:8080"],
    [{ HTTPS_PROXY: "HTTP://Proxy:8080" }, "HTTPS_PROXY http http://proxy:8080"],
    [{ HTTPS_PROXY: "https://proxy" }, "HTTPS_PROXY http https://proxy:443"],
    [{ HTTPS_PROXY: "[::1]:8080" }, "HTTPS_PROXY http http://[::1]:8080"],
    [{ HTTPS_PROXY: "  proxy:1 " }, "HTTPS_PROXY http http://proxy:1"],
    [{ HTTP_PROXY: "proxy:1" }, "direct"],
    [{ ALL_PROXY: "proxy:1" }, "ALL_PROXY http http://proxy:1"],
    [{ all_proxy: "socks5://proxy" }, "all_proxy socks socks5://proxy:1080"],
    [{ ALL_PROXY: "socks5h://u:p@proxy:1" }, "ALL_PROXY socks socks5h://proxy:1"],
    [{ ALL_PROXY: "socks://127.0.0.1:1080/" }, "ALL_PROXY socks socks://127.0.0.1:1080"],
    [{ HTTPS_PROXY: "socks4a://proxy" }, "HTTPS_PROXY socks socks4a://proxy:1080"],
    [{ https_proxy: "a:1", HTTPS_PROXY: "b:1", all_proxy: "c:1" }, "https_proxy http http://a:1"],
    [{ https_proxy: "", HTTPS_PROXY: "b:1", ALL_PROXY: "c:1" }, "HTTPS_PROXY http http://b:1"],
    [{ http_proxy: "a:1", ALL_PROXY: "c:1" }, "ALL_PROXY http http://c:1"],
  ])("is read from %j", (env, shown) => {
    expect(chosen(env)).toBe(shown);
  });

  it("differs for plain HTTP", () => {
    const env = { HTTP_PROXY: "a:1", HTTPS_PROXY: "b:1" };
    expect(chosen(env, "http://llm.example.com")).toBe("HTTP_PROXY http http://a:1");
    expect(chosen({ ALL_PROXY: "c:1", HTTPS_PROXY: "b:1" }, "http://x.example")).toBe("ALL_PROXY http http://c:1");
  });

  it.each([
    "ftp://proxy:21",
    "socks6://proxy:1",
    "file:///etc/proxy",
    "http://",
    "http:///",
    "http://:8080",
    ":8080",
    "8080",
    "1",
    "127.1:8080",
    "[proxy]:80",
    "proxy:",
    "proxy:port",
    "proxy:0",
    "proxy:65536",
    "proxy:99999999",
    "http//proxy:80",
    "http:proxy:80",
    "two words:80",
    "http://proxy:80/path",
    "http://proxy:80?x",
    "proxy:80,other:80",
    "http://http://proxy:80",
    "\\\\proxy:80",
    "@",
    "%%%",
    "://",
  ])("is a problem that names the variable, never a direct way: %s", (value) => {
    for (const variable of ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]) {
      const choice = chooseProxy(target, { [variable]: value });
      expect(choice).toEqual({ problem: expect.stringContaining(`${variable} is "`) });
    }
  });

  it.each(["http://me:hunter2@proxy:port", "me:hunter2@", "ftp://me:hunter2@proxy:1", "x://a:hunter2@b@c d"])(
    "is shown without its password, also where it is not understood: %s",
    (value) => {
      expect(chosen({ HTTPS_PROXY: value })).not.toMatch(/hunter2|me:/);
    },
  );

  it("is shown on one line and not too long", () => {
    const text = chosen({ HTTPS_PROXY: `a\nb\x1b[31m${"x".repeat(500)}` });
    expect(text).not.toMatch(/[\p{Cc}]/u);
    expect(text.length).toBeLessThan(250);
  });
});

describe("an address without a proxy", () => {
  const all = { ALL_PROXY: "garbage %%", HTTPS_PROXY: "proxy:1", HTTP_PROXY: "nonsense://" };

  it.each([
    "http://localhost:11434",
    "http://LOCALHOST.:1",
    "https://api.localhost",
    "http://127.0.0.1",
    "http://127.8.9.1",
    "http://0.0.0.0",
    "http://[::1]:80",
    "http://[::ffff:127.0.0.1]",
  ])("is one of this machine, whatever is set: %s", (url) => {
    expect(chosen(all, url)).toBe("direct");
  });

  it.each([
    ["*", "https://any.example"],
    ["llm.example.com", "https://llm.example.com"],
    ["LLM.Example.Com", "https://llm.example.com"],
    ["example.com", "https://llm.example.com"],
    [".example.com", "https://llm.example.com"],
    [".example.com", "https://example.com"],
    ["*.example.com", "https://llm.example.com"],
    ["a, b ,llm.example.com", "https://llm.example.com"],
    ["a b llm.example.com", "https://llm.example.com"],
    ["llm.example.com:443", "https://llm.example.com"],
    ["llm.example.com:8443", "https://llm.example.com:8443"],
    ["10.0.0.0/8", "https://10.1.2.3"],
    ["10.1.2.3", "https://10.1.2.3"],
    ["fd00::/8", "https://[fd00::5]"],
    ["fd00::5", "https://[fd00::5]"],
    ["[fd00::5]:443", "https://[fd00::5]"],
  ])("is named in NO_PROXY %s: %s", (list, url) => {
    expect(chosen({ HTTPS_PROXY: "proxy:1", NO_PROXY: list }, url)).toBe("direct");
    expect(chosen({ HTTPS_PROXY: "proxy:1", no_proxy: list }, url)).toBe("direct");
  });

  it.each([
    ["", "https://llm.example.com"],
    ["ample.com", "https://llm.example.com"],
    ["llm.example.com:8443", "https://llm.example.com"],
    ["example.com.evil", "https://llm.example.com"],
    ["llm.example", "https://llm.example.com"],
    [".", "https://llm.example.com"],
    ["*.", "https://llm.example.com"],
    ["l*", "https://llm.example.com"],
    ["10.0.0.0/8", "https://11.1.2.3"],
    ["10.0.0.0/8", "https://10.evil.example"],
    ["10.0.0.0/99", "https://10.0.0.1"],
    ["/", "https://10.0.0.1"],
  ])("is not covered by NO_PROXY %j: %s", (list, url) => {
    expect(chosen({ HTTPS_PROXY: "proxy:1", NO_PROXY: list }, url)).toBe("HTTPS_PROXY http http://proxy:1");
  });
});

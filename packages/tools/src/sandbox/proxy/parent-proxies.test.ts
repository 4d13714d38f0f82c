import { expect, it } from "vitest";
import { parentProxies } from "./parent-proxies.ts";

it.each([
  [{}, {}],
  [{ HTTPS_PROXY: "127.0.0.1:8080" }, { https: "http://127.0.0.1:8080/" }],
  [{ ALL_PROXY: "http://u:p@proxy" }, { http: "http://u:p@proxy/", https: "http://u:p@proxy/" }],
  [
    { http_proxy: "a:1", https_proxy: "b:1", NO_PROXY: "c d, e" },
    { http: "http://a:1/", https: "http://b:1/", noProxy: "c,d,e" },
  ],
  // Exceptions of NO_PROXY apply to each request separately.
  [
    { HTTPS_PROXY: "proxy:1", NO_PROXY: "*" },
    { https: "http://proxy:1/", noProxy: "*" },
  ],
])("the sandbox reaches hosts through the person's own proxies: %j", (env, parents) => {
  expect(parentProxies(env)).toEqual(parents);
});

it.each([
  [{ ALL_PROXY: "socks5h://u:hunter2@proxy:1" }, "ALL_PROXY names a SOCKS proxy, socks5h://proxy:1, and only"],
  [{ HTTPS_PROXY: "ftp://u:hunter2@proxy" }, 'HTTPS_PROXY is "ftp://…@proxy", which names no proxy'],
])("the sandbox reaches no host where a proxy is not understood: %j", (env, words) => {
  const answer = parentProxies(env);
  expect(answer).toEqual({ problem: expect.stringContaining(words) });
  expect(JSON.stringify(answer)).not.toContain("hunter2");
});

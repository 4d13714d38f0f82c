import { expect, test } from "vitest";
import { loginFetch } from "./login-fetch.ts";

/** True if a server at `server` may have a login at `url`. */
async function mayAsk(server: string, url: string): Promise<boolean> {
  const fetch = loginFetch(server, async () => new Response("asked"));
  return fetch(url).then(
    () => true,
    (error: Error) => error.message.includes("in your own network") && false,
  );
}

test.each([
  "http://127.0.0.1:8080/token",
  "http://localhost/token",
  "https://auth.localhost./token",
  "http://169.254.169.254/latest/meta-data",
  "http://10.1.2.3/",
  "http://192.168.1.1/",
  "http://172.20.0.1/",
  "http://100.100.0.1/",
  "http://0x7f000001/",
  "http://[::1]/",
  "http://[fe80::1]/",
  "http://[fd00::1]/",
  "http://[::ffff:127.0.0.1]/",
])("a server elsewhere has no login at %s", async (url) => {
  expect(await mayAsk("https://mcp.example.com/mcp", url)).toBe(false);
  expect(await mayAsk("http://127.0.0.1:9/mcp", url)).toBe(true);
});

test.each(["https://auth.example.com/token", "https://8.8.8.8/token", "https://[2001:db8::1]/token"])(
  "a server elsewhere may have its login at %s",
  async (url) => {
    expect(await mayAsk("https://mcp.example.com/mcp", url)).toBe(true);
  },
);

// Every file that opens or accepts connections is named here with the reason, so that no request bypasses the guard.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, it } from "vitest";

const packages = resolve(import.meta.dirname, "../../..");
/** Not part of the program. */
const LEFT_OUT = /\.(test|fixture|fuzz)\.tsx?$|\.d\.ts$|^testkit\//;
/** Opens or accepts connections. `fetch` as an argument or as one of our methods does not count. */
const OPENERS =
  /(?<![\w.#])fetch\(|globalThis\.fetch|fetch \} = globalThis|XMLHttpRequest|new WebSocket\(|new EventSource\(|from "(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|undici)"|(import|require|getBuiltinModule)\("(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|undici)"\)/;

/** By package and file name: a file may move within its package. */
const allowed: Readonly<Record<string, string>> = {
  "host/send-http.ts":
    "the transport of everything that leaves: models, logins, tools of the web; asks the guard first",
  "host/own-network.ts": "compares addresses",
  "host/proxy-choice.ts": "tells an address from a name",
  "host/socks-agent.ts": "the way of that transport through a SOCKS proxy",
  "host/system-authorities.ts": "reads the certificates of the system",
  "host/judged-lookup.ts": "looks names up for it, and has each address judged",
  "host/judged-socket.ts":
    "the transport of everything that does not speak HTTP: databases; its users ask the guard first",
  "providers/anthropic-messages.ts": "calls the exchange's own `fetch`, which is that transport",
  "providers/ollama.ts": "calls the exchange's own `fetch` for replies in one piece, which is that transport",
  "host/loopback-listener.ts": "listens on this machine for the browser, and sends nothing",
  "cli/bridge.ts": "leads stdin and stdout to a socket of this person on this machine",
  "client/socket-channel.ts": "connects to a socket of this person on this machine",
  "server/listen-on-socket.ts": "listens on such a socket, and sends nothing elsewhere",
  "server/other-servers.ts": "asks the servers behind such sockets",
  "web/web-server.ts": "listens for the browser of this person, and sends nothing elsewhere",
  "web/server-connections.ts": "connects to such sockets for that browser",
  "mcp/limited-fetch.ts": "calls the `fetch` that it is given, which is that transport, and limits what is read",
  "mcp/login-fetch.ts": "tells an address from a name",
  "search/postgres-tls.ts": "tells an address from a name, and closes a socket that the judged transport has opened",
  "tools/early-refusal.ts": "tells an address from a name",
  "tools/address-class.ts": "tells what kind of address a text is",
  "tui/ink-bridge.ts": "takes `fetch` away while a library loads, and puts it back",
  "workspace/egress-guard.ts": "the guard itself; looks up names that it must judge",
};

const sources = readdirSync(packages, { recursive: true, encoding: "utf8" })
  .filter((path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !path.includes("node_modules") && !LEFT_OUT.test(path))
  .map((path) => ({
    name: `${path.split("/")[0]}/${basename(path)}`,
    code: readFileSync(join(packages, path), "utf8"),
  }));

it("only files that ask the egress guard open connections", () => {
  const opening = sources.filter(({ code }) => {
    const lines = code.split("\n").filter((line) => !/^\s*(\*|\/\/|\/\*)|^import type |^export type /.test(line));
    return OPENERS.test(lines.join("\n"));
  });
  expect(opening.map(({ name }) => name).sort()).toEqual(Object.keys(allowed).sort());
});

it("every file that uses the transport itself asks the guard before", () => {
  const users = sources.filter(({ code }) => /import \{[^}]*\bsendHttp\b[^}]*\} from "@harness\/host"/.test(code));
  expect(users.map(({ name }) => name).sort()).toEqual([
    "mcp/guarded-fetch.ts",
    "providers/http-transport.ts",
    "search/qdrant-connection.ts",
    "server/span-publisher.ts",
    "tools/guarded-exchange.ts",
  ]);
  for (const { code } of users) expect(code).toMatch(/egress\??\.leave\(\{/);
});

it("every file that opens a connection without HTTP asks the guard before, and clients of databases open none of their own", () => {
  const users = sources.filter(({ code }) => /import \{[^}]*\bopenSocket\b[^}]*\} from "@harness\/host"/.test(code));
  const clients = sources.filter(({ code }) =>
    /(import|require)\("(postgres|pg)"\)|^import (?!type).* from "(postgres|pg)"/m.test(code),
  );
  expect(users.map(({ name }) => name)).toEqual(["search/postgres-connection.ts"]);
  expect(clients.map(({ name }) => name)).toEqual(["search/postgres-connection.ts"]);
  for (const { code } of users) expect(code).toMatch(/egress\??\.leave\(\{/);
  for (const { code } of clients) expect(code).toMatch(/socket: /);
});

it("every request to models and logins names its purpose and the guard", () => {
  const calls = sources.flatMap(({ name, code }) =>
    name.startsWith("providers/")
      ? [...code.matchAll(/(?<!function )sendRequest\(\{[^}]*/g)].map(([call]) => ({ name, call }))
      : [],
  );
  expect(calls.map(({ name }) => name).sort()).toEqual([
    "providers/ask-json.ts",
    "providers/exchange.ts",
    "providers/token-endpoint.ts",
  ]);
  for (const { call } of calls) expect(call).toMatch(/purpose: (?:"\w+"|question\.purpose),\s+egress/);
  const asked = sources.flatMap(({ code }) => [...code.matchAll(/(?<!function )\bsend\(endpoint, \{[^}]*/g)]);
  expect(asked.map(([call]) => call)).toEqual([
    expect.stringContaining('purpose: "models"'),
    expect.stringContaining('purpose: "pull"'),
  ]);
});

it("the vendors' clients are given a transport, and bring none of their own", () => {
  const made = sources.flatMap(({ code }) =>
    [...code.matchAll(/new (OpenAI|Ollama)\((\{[^}]*)/g)].map(([, name, options]) => ({ name, options })),
  );
  expect(made.map(({ name }) => name).sort()).toEqual(["Ollama", "OpenAI"]);
  for (const { options } of made) expect(options).toMatch(/\bfetch\b/);
});

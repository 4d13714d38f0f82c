// That nothing of ours goes around the door: whoever opens connections is named here, with the reason.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const packages = resolve(import.meta.dirname, "../../..");
/** Not part of the program. */
const LEFT_OUT = /\.(test|fixture|fuzz)\.tsx?$|\.d\.ts$|\/testing\/|^testkit\//;
/** What opens connections or takes them. `fetch` as an argument or a method of ours is another thing. */
const OPENERS =
  /(?<![\w.#])fetch\(|globalThis\.fetch|fetch \} = globalThis|XMLHttpRequest|new WebSocket\(|new EventSource\(|from "(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|undici)"|(import|require|getBuiltinModule)\("(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|undici)"\)/;

const allowed: Readonly<Record<string, string>> = {
  "providers/src/http/http-transport.ts":
    "the transport of everything that talks to models and logins; asks the door first",
  "providers/src/http/judged-lookup.ts": "looks names up for it, and has each address judged",
  "providers/src/anthropic/anthropic-messages.ts": "calls the exchange's own `fetch`, which is that transport",
  "providers/src/login/loopback-listener.ts": "listens on this machine for the browser, and sends nothing",
  "tools/src/web/guarded-exchange.ts": "the transport of the tools of the web; asks the door first",
  "tools/src/web-fetch.ts": "tells an address from a name",
  "tools/src/web/address-class.ts": "tells what kind of address a text is",
  "server/src/egress/egress-guard.ts": "the door itself; looks up names that it must judge",
  "server/src/egress/own-network.ts": "compares addresses",
  "tui/src/render/ink-bridge.ts": "takes `fetch` away while a library loads, and puts it back",
};

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !path.includes("node_modules") && !LEFT_OUT.test(path))
    .map((path) => path);
}

it("only those who ask the door open connections", () => {
  const opening = sources(packages).filter((path) => {
    const code = readFileSync(join(packages, path), "utf8")
      .split("\n")
      .filter((line) => !/^\s*(\*|\/\/|\/\*)|^import type |^export type /.test(line))
      .join("\n");
    return OPENERS.test(code);
  });
  expect(opening.sort()).toEqual(Object.keys(allowed).sort());
});

it("every request of the transport of models names its purpose and the door", () => {
  const calls = sources(packages).flatMap((path) => {
    const code = readFileSync(join(packages, path), "utf8");
    return [...code.matchAll(/(?<!function )sendHttp\(\{[^}]*/g)].map(([call]) => ({ path, call }));
  });
  expect(calls.map(({ path }) => path).sort()).toEqual([
    "providers/src/http/ask-json.ts",
    "providers/src/http/exchange.ts",
    "providers/src/login/token-endpoint.ts",
  ]);
  for (const { call } of calls) expect(call).toMatch(/purpose: "\w+",\s+egress/);
});

it("the clients of vendors are given a transport, and do not bring their own", () => {
  const made = sources(packages).flatMap((path) => {
    const code = readFileSync(join(packages, path), "utf8");
    return [...code.matchAll(/new (OpenAI|Ollama)\((\{[^}]*)/g)].map(([, name, options]) => ({ name, options }));
  });
  expect(made.map(({ name }) => name).sort()).toEqual(["Ollama", "OpenAI"]);
  for (const { options } of made) expect(options).toMatch(/\bfetch\b/);
});

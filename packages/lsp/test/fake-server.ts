// A language server with faults: the words of its arguments. A line `ERR name` in a text is an error, `WARN name` a
// warning. Each message to it is appended to the file in FAKE_LOG, a line each.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

type Message = { id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown };

const faults = new Set(process.argv.slice(2));
const has = (fault: string) => faults.has(fault);
const SETTLE_MS = 100;
const SLOW_MS = 400;
const texts = new Map<string, { text: string; version: number }>();
let nextId = 1_000;

const log = (line: string) => process.env.FAKE_LOG && appendFileSync(process.env.FAKE_LOG, `${line}\n`);
const send = (message: object) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));
const write = (text: string) => process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
const ask = (method: string, params: object) => send({ id: nextId++, method, params });

function findings(text: string) {
  return text.split("\n").flatMap((line, at) => {
    const [, kind, name] = /^(ERR|WARN) (.*)$/.exec(line) ?? [];
    if (kind === undefined) return [];
    const start = { line: at, character: 0 };
    return [{ range: { start, end: start }, severity: kind === "ERR" ? 1 : 2, message: name, source: "fake" }];
  });
}

function push(uri: string): void {
  const { text, version } = texts.get(uri) ?? { text: "", version: 0 };
  const old = { uri, version: version - 1, diagnostics: [] };
  const named = has("push-versionless") ? {} : { version };
  const future = { uri, version: version + 1, diagnostics: [] };
  const params = has("push-future") ? future : has("push-old") ? old : { uri, ...named, diagnostics: findings(text) };
  send({ method: "textDocument/publishDiagnostics", params });
}

/** Debounced and without a version: first what is on its way about the text before, then what is true. */
function pushSettled(uri: string, before: string): void {
  const publish = (text: string) =>
    send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: findings(text) } });
  publish(before);
  setTimeout(() => publish(texts.get(uri)?.text ?? ""), SETTLE_MS);
}

/** Names no version of a text with which a file was opened: it is what was on disk before. */
function pushFromChange(uri: string): void {
  const { text, version } = texts.get(uri) ?? { text: "", version: 0 };
  const isFirst = version === 1;
  const found = isFirst ? findings("ERR of the disk") : findings(text);
  send({
    method: "textDocument/publishDiagnostics",
    params: { uri, ...(isFirst ? {} : { version }), diagnostics: found },
  });
}

function changed(uri: string, before = "ERR of before"): void {
  if (has("push-settled")) pushSettled(uri, before);
  if (has("push-from-change")) pushFromChange(uri);
  if (has("push") || has("push-old") || has("push-future") || has("push-versionless")) push(uri);
}

/** Findings of forms and at places that there are not. */
const lies = {
  kind: "full",
  items: [
    null,
    "text",
    { range: "none", message: 1 },
    { range: { start: { line: 9e9, character: -1 } }, message: "far away" },
    { range: { start: { line: 0.5, character: 0 } }, message: "between" },
    { range: { start: { line: 0, character: 0 } }, severity: 99, message: { value: "x".repeat(100_000) }, code: {} },
  ],
};

const notifications: Record<string, (params: Record<string, unknown>) => void> = {
  initialized: () => {
    if (has("registers"))
      ask("client/registerCapability", { registrations: [{ id: "1", method: "textDocument/diagnostic" }] });
    if (has("applies-edit")) ask("workspace/applyEdit", { edit: { changes: {} } });
    if (has("shows-document")) ask("window/showDocument", { uri: "https://example.com", external: true });
    if (has("registers-much"))
      for (let at = 0; at < 5_000; at++)
        ask("client/registerCapability", { registrations: [{ id: `${at}`, method: "textDocument/foo" }] });
    if (has("floods-findings"))
      for (let at = 0; at < 5_000; at++)
        send({
          method: "textDocument/publishDiagnostics",
          params: { uri: `file:///nowhere/${at}.txt`, diagnostics: [] },
        });
    if (has("deaf")) {
      process.stdin.pause();
      process.stdin.removeAllListeners("data");
    }
    if (has("floods"))
      for (let at = 0; at < 30_000; at++) send({ method: "window/logMessage", params: { type: 4, message: "flood" } });
  },
  "textDocument/didOpen": (params) => {
    const { uri, text, version } = params.textDocument as { uri: string; text: string; version: number };
    texts.set(uri, { text, version });
    changed(uri);
  },
  "textDocument/didChange": (params) => {
    const { uri, version } = params.textDocument as { uri: string; version: number };
    if (has("dies-on-change")) process.exit(3);
    const before = texts.get(uri)?.text;
    texts.set(uri, { text: (params.contentChanges as { text: string }[])[0]?.text ?? "", version });
    changed(uri, before);
  },
  "workspace/didChangeWatchedFiles": (params) => {
    const changes = params.changes as { uri: string; type: number }[];
    for (const { uri, type } of changes) log(`changed ${type} ${uri.slice(uri.lastIndexOf("/") + 1)}`);
  },
  exit: () => process.exit(0),
};

const requests: Record<string, (params: Record<string, unknown>) => unknown> = {
  initialize: () => {
    const pulls = ![...faults].some((fault) => fault.startsWith("push")) && !has("registers");
    return {
      capabilities: { textDocumentSync: 1, definitionProvider: true, ...(pulls ? { diagnosticProvider: {} } : {}) },
    };
  },
  "textDocument/diagnostic": (params) => {
    const { uri } = params.textDocument as { uri: string };
    if (has("lies")) return lies;
    if (has("huge")) return { kind: "full", items: ["x".repeat(50_000_000)] };
    return { kind: "full", items: findings(texts.get(uri)?.text ?? "") };
  },
  "textDocument/documentSymbol": () => [],
  shutdown: () => null,
};

function take({ id, method, params = {}, result }: Message): void {
  if (method === undefined) return void log(`answer ${JSON.stringify(result)}`);
  log(method);
  if (id === undefined) return void notifications[method]?.(params);
  if (method === "textDocument/diagnostic" && has("hangs")) return;
  if (method === "textDocument/diagnostic" && has("slow"))
    return void setTimeout(() => send({ id, result: requests[method]?.(params) }), SLOW_MS);
  if (method === "initialize" && has("hangs-at-start")) return;
  if (method === "textDocument/diagnostic" && has("garbage")) return void write("{ this is no JSON");
  const answer = requests[method];
  send(answer ? { id, result: answer(params) } : { id, error: { code: -32_601, message: `No ${method}` } });
}

log("start");
if (has("dies-at-start")) {
  process.stderr.write("no license for this\n");
  process.exit(2);
}
if (has("forks")) {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  const away = spawn("sleep", ["600"], { stdio: "ignore", detached: true });
  log(`child ${child.pid}`);
  log(`child ${away.pid}`);
}
if (has("stays")) process.on("SIGTERM", () => undefined);
let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk: Buffer) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const length = Number(/Content-Length: (\d+)/.exec(rest.toString("latin1", 0, end))?.[1]);
    if (end < 0 || rest.length < end + 4 + length) return;
    const body = rest.subarray(end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    take(JSON.parse(body.toString("utf8")) as Message);
  }
});
if (!has("stays")) process.stdin.on("end", () => process.exit(0));
else setInterval(() => undefined, 1_000_000);

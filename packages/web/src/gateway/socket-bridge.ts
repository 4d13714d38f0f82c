import type { Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";
import type { WebSocket } from "ws";

/** While so many bytes wait for a slow browser, nothing is read from the server. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** A browser that answers no ping for so long has gone without a word. */
const PING_MS = 30_000;

/** Codes of RFC 6455, section 7.4.1. */
const codes = { unacceptable: 1003, serverGone: 1012 } as const;

/** Passes lines between a browser and the server's socket, as text; both end together. */
export function joinSockets(browser: WebSocket, server: Socket): void {
  // A character may be split between two reads.
  const decoder = new StringDecoder("utf8");
  let isAlive = true;
  const ping = setInterval(() => {
    if (!isAlive) return browser.terminate();
    isAlive = false;
    browser.ping();
  }, PING_MS);
  browser.on("pong", () => {
    isAlive = true;
  });
  server.on("data", (bytes: Buffer) => {
    const text = decoder.write(bytes);
    if (text === "") return;
    browser.send(text, () => {
      if (browser.bufferedAmount < MAX_WAITING_BYTES) server.resume();
    });
    if (browser.bufferedAmount >= MAX_WAITING_BYTES) server.pause();
  });
  browser.on("message", (data: Buffer, isBinary: boolean) => {
    if (isBinary) return browser.close(codes.unacceptable, "Only text is accepted.");
    if (server.write(data)) return;
    browser.pause();
    server.once("drain", () => browser.resume());
  });
  const end = () => {
    clearInterval(ping);
    server.destroy();
    browser.close(codes.serverGone, "The server has ended.");
  };
  server.on("error", end).on("close", end);
  // `ws` closes the connection itself, with the reason.
  browser.on("error", () => undefined).on("close", end);
}

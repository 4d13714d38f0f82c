// `harness web`, and raw requests to it as other programs and pages would send them.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { ListeningHome } from "./listening-server.ts";

type RawAnswer = { status: number; body: string; headers: Record<string, unknown> };
type RawRequest = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

/** A running `harness web`. */
export class WebGateway {
  readonly #lines: string[] = [];
  readonly #looks = new Set<() => void>();
  readonly ended: Promise<number | null>;
  stderr = "";

  private constructor(child: ReturnType<ListeningHome["start"]>) {
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      this.#lines.push(...lines);
      for (const look of this.#looks) look();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = once(child, "exit").then(([code]) => code as number | null);
  }

  static async of(place: ListeningHome, ...args: string[]): Promise<WebGateway> {
    const gateway = new WebGateway(place.start("web", ...args));
    await gateway.link(0);
    return gateway;
  }

  /** The link that it prints first, second, … */
  link(at: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const line = this.#lines[at];
        if (line === undefined) return;
        this.#looks.delete(look);
        resolve(line);
      };
      this.#looks.add(look);
      void this.ended.then((code) => reject(new Error(`ended with ${code}: ${this.stderr}`)));
      look();
    });
  }

  /** The key that a link gives. */
  async key(link: string): Promise<string> {
    const [origin = "", token = ""] = link.split("/#");
    const { body } = await raw(origin, { method: "POST", path: "/key", headers: { origin }, body: token });
    return JSON.parse(body).key;
  }
}

/** One request; an upgrade to a WebSocket that is accepted has the status 101. */
export function raw(
  origin: string,
  { method = "GET", path = "/", headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port, protocol } = new URL(origin);
  const send = protocol === "https:" ? tlsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send({ hostname, port, method, path, headers, rejectUnauthorized: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: "", headers: response.headers });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The headers with which a browser asks for the WebSocket. */
export function upgradeHeaders(
  origin: string,
  key: string,
  changes: Record<string, string> = {},
): Record<string, string> {
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": `harness, key.${key}`,
    origin,
    ...changes,
  };
}

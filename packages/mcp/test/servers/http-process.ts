import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type HttpProcess = { url: string; close(): Promise<void> };

/** A port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server that reports on stderr that it listens. */
export async function startHttpProcess(args: (port: number) => string[], path: string): Promise<HttpProcess> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, args(port), { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (/listening|running on port/i.test(said)) resolve();
    });
    child.once("exit", () => reject(new Error(`The server ended: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

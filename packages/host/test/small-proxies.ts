import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A proxy on this machine that leads everything to one of its ports. `seen`: the requests it got. */
export type SmallProxy = { address: string; seen: string[]; close(): Promise<void> };

/** Speaks HTTP: forwards requests, and opens tunnels; with `refuses` it answers all of them with this status. */
export async function httpProxy(port: () => number, refuses?: number): Promise<SmallProxy> {
  const seen: string[] = [];
  const server = createHttpServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    response.writeHead(refuses ?? 200).end("through the proxy");
  });
  server.on("connect", (request, socket: Socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    if (refuses) {
      socket.end(`HTTP/1.1 ${refuses} No\r\n\r\n`);
    } else {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      join(socket, port());
    }
  });
  return await opened(server, seen);
}

/** Speaks SOCKS 4, 4a and 5, with a user name and a password if the client offers them. */
export async function socksProxy(port: () => number): Promise<SmallProxy> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (hello) => {
      if (hello[0] === 4) {
        const rest = hello.subarray(8).toString("latin1").split("\0");
        const isNamed = hello[4] === 0 && hello[5] === 0 && hello[6] === 0;
        seen.push(`4 ${isNamed ? rest[1] : [...hello.subarray(4, 8)].join(".")}:${hello.readUInt16BE(2)}`);
        socket.write(Buffer.from([0, 90, 0, 0, 0, 0, 0, 0]));
        join(socket, port());
        return;
      }
      const asksUser = hello.subarray(2).includes(2);
      socket.write(Buffer.from([5, asksUser ? 2 : 0]));
      const takeRequest = () =>
        socket.once("data", (request) => {
          const length = request[4] ?? 0;
          const host =
            request[3] === 3 ? request.subarray(5, 5 + length).toString() : [...request.subarray(4, 8)].join(".");
          seen.push(`5 ${host}:${request.readUInt16BE(request.length - 2)}`);
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          join(socket, port());
        });
      if (!asksUser) {
        takeRequest();
        return;
      }
      socket.once("data", (access) => {
        const length = access[1] ?? 0;
        seen.push(`user ${access.subarray(2, 2 + length)} ${access.subarray(3 + length)}`);
        socket.write(Buffer.from([1, 0]));
        takeRequest();
      });
    });
  });
  return await opened(server, seen);
}

function join(socket: Socket, port: number): void {
  const end = connect(port, "127.0.0.1");
  for (const [one, other] of [
    [socket, end],
    [end, socket],
  ] as const) {
    one.on("error", () => other.destroy());
    one.pipe(other);
  }
}

async function opened(server: Server, seen: string[]): Promise<SmallProxy> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return { address, seen, close };
}

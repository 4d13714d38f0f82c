import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import type { Clock } from "@harness/core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { chunkOf, fileOf } from "../../../test/store-contract.ts";
import { StoreError } from "../store-error.ts";
import { PgvectorStore } from "./pgvector-store.ts";
import { PostgresConnection } from "./postgres-connection.ts";

const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(serve: (socket: Socket) => void, at = 0): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    serve(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const folder = mkdtempSync(join(tmpdir(), "harness certificate "));
const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const made = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=x -addext subjectAltName=DNS:db.example.org";
spawnSync("openssl", [...made.split(" "), "-keyout", keyFile, "-out", certFile]);
const identity = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** PostgreSQL's manual, "SSL Session Encryption": eight bytes, and a byte for the answer. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
/** "ErrorResponse": the fields S, C and M. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** `asked`: what came in the clear; `names`: those of the server that TLS was asked for. */
async function tlsServer(offers: "S" | "N") {
  const asked: Buffer[] = [];
  const names: unknown[] = [];
  const port = await listen((socket) => {
    socket.once("data", (first) => {
      asked.push(Buffer.from(first));
      socket.write(offers);
      if (offers === "N") {
        socket.once("data", (next) => asked.push(Buffer.from(next)));
        return;
      }
      const secured = new TLSSocket(socket, { isServer: true, ...identity });
      secured.on("error", () => undefined);
      secured.on("secure", () => names.push((secured as { servername?: unknown }).servername));
      secured.once("data", () => secured.end(errorResponse("28P01", "password authentication failed")));
    });
  });
  return { port, asked, names };
}

function connectionTo(port: number, query: string, host = "127.0.0.1"): PostgresConnection {
  return new PostgresConnection({ url: `postgres://u:secret@${host}:${port}/db${query}`, clock });
}

describe("TLS to PostgreSQL", () => {
  it.each(["127.0.0.1", "localhost"])("proves the name of the server %s, or nothing is sent", async (host) => {
    const { port, asked } = await tlsServer("S");
    const failed = connectionTo(port, "?sslmode=verify-full", host).rows("SELECT 1");
    await expect(failed).rejects.toThrow(StoreError);
    await expect(failed).rejects.toThrow(/did not prove who it is: .*NODE_EXTRA_CA_CERTS.*sslmode=require/);
    expect(asked).toEqual([SSL_REQUEST]);
  });

  it("encrypts without proof if the address says so, and names the server", async () => {
    const { port, names } = await tlsServer("S");
    const failed = connectionTo(port, "?sslmode=require", "localhost").rows("SELECT 1");
    await expect(failed).rejects.toThrow("did not accept the user or the password");
    expect(names).toEqual(["localhost"]);
  });

  it("is not done without where the server has none", async () => {
    const { port, asked } = await tlsServer("N");
    const failed = connectionTo(port, "?sslmode=require").rows("SELECT 1");
    await expect(failed).rejects.toThrow(/has no TLS.*sslmode=disable/);
    expect(Buffer.concat(asked).includes("secret")).toBe(false);
    expect(Buffer.concat(asked).includes("user")).toBe(false);
  });
});

describe("a connection to PostgreSQL that is lost", () => {
  /** A real PostgreSQL behind a line that can be cut, and come back at its port. */
  async function cuttable() {
    const database = await PGlite.create({ extensions: { vector } });
    const server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 20 });
    await server.start();
    const at = Number(server.getServerConn().split(":").at(-1));
    let chunksUntilCut = Number.POSITIVE_INFINITY;
    const pass = (socket: Socket) => {
      socket.on("data", () => {
        chunksUntilCut -= 1;
        if (chunksUntilCut === 0) socket.destroy();
      });
      const behind = connect(at, "127.0.0.1").on("error", () => undefined);
      socket.pipe(behind).pipe(socket);
      socket.on("close", () => behind.destroy());
      behind.on("close", () => socket.destroy());
    };
    const port = await listen(pass);
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    return {
      open: () => PgvectorStore.open({ url, name: "lost", clock }),
      /** The server stays away until `back`. */
      async cut() {
        const [line] = servers.splice(0);
        const closed = new Promise((resolve) => line?.close(resolve));
        for (const socket of sockets) socket.destroy();
        await closed;
      },
      back: () => listen(pass, port),
      /** Cuts the line once, when so many more pieces have come from the client; false until then. */
      cutAfter(chunks: number): () => boolean {
        chunksUntilCut = chunks;
        return () => chunksUntilCut <= 0;
      },
      async close() {
        await server.stop();
        await database.close();
      },
    };
  }

  const file = (path: string) => fileOf(path, [chunkOf(`words of ${path} marmot`, path)], { digest: path });
  const write = (store: PgvectorStore, path: string) => store.write({ put: [file(path)], touched: [], removed: [] });
  const found = async (store: PgvectorStore) =>
    (await store.searchWords([{ word: "marmot", weight: 1 }], 20)).files.map(({ path }) => path).toSorted();

  it("is made again for the next write and the next search: nothing is lost", async () => {
    const line = await cuttable();
    const store = await line.open();
    await write(store, "a.ts");
    await line.cut();
    await line.back();
    await write(store, "b.ts");
    await line.cut();
    await line.back();
    expect(await found(store)).toEqual(["a.ts", "b.ts"]);
    await store.close();
    await line.close();
  });

  it("is made again wherever it is cut within a write", async () => {
    const line = await cuttable();
    const store = await line.open();
    const paths: string[] = [];
    for (let chunks = 1, isCut = true; isCut; chunks += 1) {
      const cut = line.cutAfter(chunks);
      await write(store, `${chunks}.ts`);
      paths.push(`${chunks}.ts`);
      isCut = cut();
      line.cutAfter(Number.POSITIVE_INFINITY);
    }
    expect(paths.length).toBeGreaterThan(5);
    expect(await found(store)).toEqual(paths.toSorted());
    await store.close();
    await line.close();
  });

  it("is tried a few times where each one is closed at once, as by the proxy of a container that starts", async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections += 1;
      socket.once("data", () => socket.destroy());
    });
    const opened = PgvectorStore.open({ url: `postgres://postgres@127.0.0.1:${port}/postgres`, name: "closed", clock });
    await expect(opened).rejects.toThrow(/^PostgreSQL at \S+ ended the connection, again and again/);
    expect(connections).toBe(4);
  });

  it("is explained while the server is away, and used again when it is back", async () => {
    const line = await cuttable();
    const store = await line.open();
    await write(store, "a.ts");
    await line.cut();
    await expect(write(store, "b.ts")).rejects.toThrow(/^PostgreSQL at \S+ is not running/);
    await expect(found(store)).rejects.toThrow(StoreError);
    await line.back();
    expect(await found(store)).toEqual(["a.ts"]);
    await write(store, "b.ts");
    expect(await store.counts()).toMatchObject({ files: 2, chunks: 2 });
    expect(await found(store)).toEqual(["a.ts", "b.ts"]);
    await store.close();
    await line.close();
  });
});

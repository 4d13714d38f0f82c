import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { AddressRefusedError } from "./judged-lookup.ts";
import { openSocket } from "./judged-socket.ts";

it("connects only to addresses that the judge accepts, as numbers and by name", async () => {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const seen: string[] = [];
  const accepts = (address: string) => void seen.push(address);
  for (const host of ["127.0.0.1", "localhost"]) {
    const socket = await openSocket({ host, port, judge: accepts });
    socket.destroy();
    await expect(openSocket({ host, port, judge: () => "No." })).rejects.toThrow(AddressRefusedError);
  }
  expect(seen).toContain("127.0.0.1");
  server.close();
  await new Promise((closed) => server.once("close", closed));
  await expect(openSocket({ host: "127.0.0.1", port })).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

import { describe, expect, it } from "vitest";
import { listeningSockets, portsOfLsof } from "./listening-ports.ts";

describe("listening sockets", () => {
  it("are read from the system's table, with their ports", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:1435 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 81231 1 0",
      "   1: 0100007F:1436 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 81232 1 0",
      "   2: 00000000000000000000000000000000:0BB8 00000000:0000 0A 00:0 00:0 0  1000        0 81233 1 0",
      "",
    ].join("\n");
    expect(listeningSockets(table)).toEqual([
      ["81231", 5173],
      ["81233", 3000],
    ]);
    expect(listeningSockets("")).toEqual([]);
  });

  it("are read from lsof, each port once", () => {
    expect(portsOfLsof("p123\nf20\nn*:3000\nf21\nn127.0.0.1:5173\nn[::1]:5173\n")).toEqual([3000, 5173]);
  });
});

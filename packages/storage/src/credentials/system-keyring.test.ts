import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KeyringAccess } from "./keyring-access.ts";
import { loadSystemKeyring } from "./system-keyring.ts";

it.runIf(process.platform === "linux")(
  "a silent keyring bus does not block the process, and is asked once",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bus-"));
    const path = join(folder, "bus");
    const bus = createServer();
    bus.listen(path);
    await once(bus, "listening");
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
    const late = Promise.withResolvers<void>();
    const door = new KeyringAccess(() => loadSystemKeyring(env), { sleep: () => late.promise });
    const asked = door.get("somebody");
    // Received in this very process: its thread is free.
    const [socket] = (await once(bus, "connection")) as [Socket];
    const left = once(
      socket.resume().on("error", () => undefined),
      "close",
    );
    late.resolve();
    await expect(asked).rejects.toThrow("did not answer within 60 s");
    // The process that had asked has left the bus.
    await left;
    await expect(door.get("somebody")).rejects.toThrow("does not ask it again");
    bus.close();
    rmSync(folder, { recursive: true });
  },
);

it("a keyring without a reachable bus reports the reason of the bus", async () => {
  const keyring = await loadSystemKeyring({ ...process.env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" });
  const { signal } = new AbortController();
  const both = await Promise.allSettled([keyring.get("a", signal), keyring.get("b", signal)]);
  // A system with its own keyring needs no bus, and answers.
  const answers = both.map((one) => (one.status === "rejected" ? String(one.reason) : "answered"));
  expect(answers).toEqual([expect.not.stringContaining("ended"), expect.not.stringContaining("ended")]);
});

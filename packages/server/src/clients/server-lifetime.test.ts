import { describe, expect, it } from "vitest";
import type { Client } from "./client.ts";
import { ServerLifetime } from "./server-lifetime.ts";

/** A server with clients that come and go, and a clock that is moved by hand. */
function running() {
  const clients = new Set<Client>();
  const timers = new Set<{ ms: number; work: () => void }>();
  const state = { hasWork: false, ends: 0 };
  const lifetime = new ServerLifetime({
    clients: () => [...clients],
    follows: ({ name }) => name.startsWith("follower"),
    hasWork: () => state.hasWork,
    later(ms, work) {
      const timer = { ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    end: () => {
      state.ends += 1;
    },
  });
  const client = (name: string): Client =>
    ({ name, profile: { name, role: "controller" }, closed: new AbortController().signal }) as unknown as Client;
  const pass = (ms: number): void => {
    for (const timer of [...timers]) {
      if (timer.ms > ms || !timers.delete(timer)) continue;
      timer.work();
    }
  };
  return { lifetime, state, clients, client, pass };
}

describe("the lifetime of a server", () => {
  it("is that of the client that started it, whatever runs", () => {
    const { lifetime, state, clients, client, pass } = running();
    const owner = client("follower owner");
    clients.add(owner);
    expect(lifetime.staysWithout(owner)).toBe(false);
    lifetime.look();
    pass(Number.POSITIVE_INFINITY);
    expect(state.ends).toBe(0);
  });

  it("goes on as long as others follow a session; one that only asks about it does not count", () => {
    const { lifetime, state, clients, client, pass } = running();
    const [owner, other] = [client("follower owner"), client("follower other")];
    clients.add(owner).add(other).add(client("list"));
    expect(lifetime.staysWithout(owner)).toBe(true);
    clients.delete(owner);
    lifetime.release();
    pass(0);
    expect(state.ends).toBe(0);
    clients.delete(other);
    lifetime.look();
    pass(0);
    expect(state.ends).toBe(1);
  });

  it("once kept, goes on while it has work or a client, and for a while after", () => {
    const { lifetime, state, clients, client, pass } = running();
    lifetime.keep({ restMs: 100 });
    lifetime.release();
    state.hasWork = true;
    lifetime.look();
    pass(1_000);
    state.hasWork = false;
    lifetime.look();
    pass(99);
    expect(state.ends).toBe(0);
    const late = client("list");
    clients.add(late);
    lifetime.look();
    pass(1_000);
    expect(state.ends).toBe(0);
    clients.delete(late);
    lifetime.look();
    pass(100);
    expect(state.ends).toBe(1);
  });
});

import { describe, expect, it } from "vitest";
import { StoreAccess } from "./store-access.ts";

/** A store at an address that the settings may change or forbid. */
function open() {
  const settings: { address: string; barrier: string | undefined } = {
    address: "http://127.0.0.1:6333",
    barrier: undefined,
  };
  const access = new StoreAccess(
    { folder: "/project", database: "/nowhere/index.db" },
    {
      get address() {
        return settings.address;
      },
      egress: { localOnly: false, leave: () => ({}), barrier: async () => settings.barrier },
      variable: () => undefined,
    },
  );
  return { settings, access };
}

describe("work in a store elsewhere", () => {
  it("goes on while the settings are the same", async () => {
    const { access } = open();
    const watch = access.watch(await access.location());
    await watch.check();
    expect([watch.signal.aborted, watch.problem]).toEqual([false, undefined]);
  });

  it.each([
    ["name another store", { address: "http://127.0.0.1:7333" }, "The setting `index_store` was changed meanwhile"],
    ["name no store", { address: "embedded" }, "The setting `index_store` was changed meanwhile"],
    ["forbid it", { barrier: "It must not be reached." }, "It must not be reached."],
  ])("ends when the settings %s", async (_, change, sentence) => {
    const { settings, access } = open();
    const watch = access.watch(await access.location());
    Object.assign(settings, change);
    await watch.check();
    expect(watch.signal.aborted).toBe(true);
    expect(watch.problem).toContain(sentence);
  });
});

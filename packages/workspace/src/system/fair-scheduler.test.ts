import { describe, expect, it } from "vitest";
import { FairScheduler } from "./fair-scheduler.ts";

/** An event loop that turns on demand, with a stopped clock. */
function loop() {
  let nowMs = 0;
  const work: (() => void)[] = [];
  const pace = new FairScheduler(
    () => nowMs,
    (later) => work.push(later),
  );
  return {
    pace,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** One round: everything requested before it, and the microtasks of each. */
    round: async () => {
      for (const each of work.splice(0)) {
        each();
        await settled();
      }
    },
  };
}

const settled = () => new Promise((done) => setImmediate(done));

describe("the pace of steps", () => {
  it("is not slowed down while little was done", async () => {
    const { pace } = loop();
    const done: number[] = [];
    for (let n = 0; n < 3; n += 1) void pace.turn().then(() => done.push(n));
    await settled();
    expect(done).toEqual([0, 1, 2]);
  });

  it("lets the event loop go round between steps after that, in the order in which they asked", async () => {
    const { pace, pass, round } = loop();
    const done: number[] = [];
    void pace.turn().then(() => pass(10));
    await settled();
    for (let n = 0; n < 3; n += 1) void pace.turn().then(() => done.push(n));
    const seen: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await settled();
      seen.push(done.length);
      await round();
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(done).toEqual([0, 1, 2]);
  });

  it("gives a step that asks again its turn behind the others", async () => {
    const { pace, pass, round } = loop();
    const done: string[] = [];
    const work = async (name: string) => {
      for (let n = 0; n < 2; n += 1) {
        await pace.turn();
        pass(10);
        done.push(name);
      }
    };
    void work("a");
    void work("b");
    for (let n = 0; n < 5; n += 1) {
      await settled();
      await round();
    }
    expect(done.filter((name) => name === "a")).toHaveLength(2);
    expect(done.slice(1, 3).sort()).toEqual(["a", "b"]);
  });

  it("is at once again when the event loop had its turn and nobody waits", async () => {
    const { pace, pass, round } = loop();
    await pace.turn();
    pass(50);
    await round();
    let done = false;
    void pace.turn().then(() => {
      done = true;
    });
    await settled();
    expect(done).toBe(true);
  });
});

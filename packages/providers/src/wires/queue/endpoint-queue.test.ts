import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EndpointQueue, type QueueRequest, type Ticket } from "./endpoint-queue.ts";

const turn: QueueRequest = { priority: "turn" };
const subagent: QueueRequest = { priority: "subagent" };
const background: QueueRequest = { priority: "background" };

describe("the queue of an endpoint", () => {
  it("admits requests at once, up to the number of slots", () => {
    const queue = new EndpointQueue(2);
    const tickets = [queue.enter(turn), queue.enter(turn), queue.enter(turn), queue.enter(turn)];
    expect(tickets.map(({ slot }) => slot)).toEqual([0, 1, undefined, undefined]);
    expect(tickets.map(({ ahead }) => ahead)).toEqual([0, 0, 1, 2]);
  });

  it("prefers a turn to a subagent, and a subagent to a title", () => {
    const queue = new EndpointQueue(1);
    const first = queue.enter(background);
    const [title, child, person] = [queue.enter(background), queue.enter(subagent), queue.enter(turn)];
    expect([title, child, person].map(({ ahead }) => ahead)).toEqual([3, 2, 1]);
    first.leave();
    expect(person.slot).toBe(0);
    person.leave();
    expect(child.slot).toBe(0);
    child.leave();
    expect(title.slot).toBe(0);
  });

  it("frees a slot only once, however often it is released", () => {
    const queue = new EndpointQueue(1);
    const first = queue.enter(turn);
    const [second, third] = [queue.enter(turn), queue.enter(turn)];
    first.leave();
    first.leave();
    expect(second.slot).toBe(0);
    expect(third.slot).toBeUndefined();
  });

  it("advances the requests behind one that leaves", async () => {
    const queue = new EndpointQueue(1);
    queue.enter(turn);
    const [second, third] = [queue.enter(turn), queue.enter(turn)];
    const moved = third.changed(new AbortController().signal);
    second.leave();
    await moved;
    expect(third.ahead).toBe(1);
  });

  it("wakes no request without reason, but wakes an aborted one", async () => {
    const queue = new EndpointQueue(1);
    queue.enter(turn);
    const second = queue.enter(turn);
    const aborter = new AbortController();
    const changed = second.changed(aborter.signal);
    queue.enter(background).leave();
    let woken = false;
    void changed.then(() => {
      woken = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(woken).toBe(false);
    aborter.abort();
    await changed;
  });

  it("raises a request to the highest urgency after eight more urgent ones", () => {
    const queue = new EndpointQueue(1);
    let holder = queue.enter(turn);
    const title = queue.enter(background);
    let overtaken = 0;
    while (title.slot === undefined) {
      const next = queue.enter(turn);
      holder.leave();
      if (title.slot !== undefined) break;
      overtaken += 1;
      holder = next;
    }
    expect(overtaken).toBe(16);
  });

  it("never lets a turn wait for more than the child that is at work, however many children wait, and serves them in turns", () => {
    const queue = new EndpointQueue(1);
    const children = Array.from({ length: 20 }, () => queue.enter(subagent));
    const served: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      const main = queue.enter(turn);
      const at = children.findIndex(({ slot }) => slot !== undefined);
      children[at]?.leave();
      expect(main.slot).toBe(0);
      children[at] = queue.enter(subagent);
      served.push(at);
      main.leave();
    }
    expect(served).toEqual(Array.from({ length: 100 }, (_, round) => round % 20));
  });

  it("serves a child among the turns of several sessions, which leave it no time", () => {
    const queue = new EndpointQueue(1);
    let [now, next] = [queue.enter(turn), queue.enter(turn)];
    const child = queue.enter(subagent);
    let overtaken = 0;
    while (child.slot === undefined && overtaken < 50) {
      now.leave();
      [now, next] = [next, queue.enter(turn)];
      overtaken += 1;
    }
    expect(overtaken).toBeLessThanOrEqual(10);
  });

  it("follows the number of slots", () => {
    const queue = new EndpointQueue(1);
    const tickets = [queue.enter(turn), queue.enter(turn), queue.enter(turn)];
    queue.setSlots(2);
    expect(tickets.map(({ slot }) => slot)).toEqual([0, 1, undefined]);
    queue.setSlots(1);
    tickets[1]?.leave();
    expect(tickets[2]?.slot).toBeUndefined();
    tickets[0]?.leave();
    expect(tickets[2]?.slot).toBe(0);
  });
});

describe("the slots of lanes", () => {
  const pass = (queue: EndpointQueue, newcomer: QueueRequest) => {
    const ticket = queue.enter(newcomer);
    ticket.leave();
    return ticket.slot;
  };

  it("go to the lane that had them before, when they are free", () => {
    const queue = new EndpointQueue(3);
    expect(pass(queue, { priority: "turn", lane: "a" })).toBe(0);
    expect(pass(queue, { priority: "turn", lane: "b" })).toBe(1);
    expect(pass(queue, { priority: "turn", lane: "a" })).toBe(0);
    expect(pass(queue, { priority: "turn", lane: "c" })).toBe(2);
    expect(pass(queue, { priority: "turn", lane: "b" })).toBe(1);
  });

  it("spare the parent: subagents and titles take each other's slots", () => {
    const queue = new EndpointQueue(2);
    expect(pass(queue, { priority: "turn", lane: "parent" })).toBe(0);
    for (const lane of ["child 1", "child 2", "child 3"]) expect(pass(queue, { priority: "subagent", lane })).toBe(1);
    expect(pass(queue, { priority: "background" })).toBe(1);
    expect(pass(queue, { priority: "subagent", lane: "child 4" })).toBe(1);
    expect(pass(queue, { priority: "turn", lane: "parent" })).toBe(0);
  });

  it("go to the oldest among equals first", () => {
    const queue = new EndpointQueue(2);
    for (const lane of ["a", "b", "a"]) pass(queue, { priority: "subagent", lane });
    expect(pass(queue, { priority: "subagent", lane: "c" })).toBe(1);
    expect(pass(queue, { priority: "subagent", lane: "a" })).toBe(0);
  });

  it("are freed from a turn that does not come back", () => {
    const queue = new EndpointQueue(2);
    pass(queue, { priority: "turn", lane: "closed" });
    for (let index = 0; index < 40; index += 1) pass(queue, { priority: "subagent", lane: `child ${index}` });
    const free = [pass(queue, { priority: "subagent", lane: "x" }), pass(queue, { priority: "subagent", lane: "y" })];
    expect(new Set(free)).toEqual(new Set([0, 1]));
  });

  it("are replaced by a different one when their own is taken", () => {
    const queue = new EndpointQueue(2);
    const first = queue.enter({ priority: "turn", lane: "a" });
    expect(queue.enter({ priority: "turn", lane: "a" }).slot).toBe(1);
    expect(first.slot).toBe(0);
  });
});

type Guest = QueueRequest & { ticket: Ticket; arrival: number; hasLeft: boolean };
type Step =
  | { type: "enter"; newcomer: QueueRequest }
  | { type: "leave"; which: number }
  | { type: "abort"; which: number };

const newcomers: fc.Arbitrary<QueueRequest> = fc.record({
  priority: fc.constantFrom("turn", "subagent", "background"),
  lane: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }),
});

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("enter" as const), newcomer: newcomers }),
    fc.record({ type: fc.constant("leave" as const), which: fc.nat() }),
    fc.record({ type: fc.constant("abort" as const), which: fc.nat() }),
  ),
  { maxLength: 60 },
);

/** Plays the steps; `check` looks at everybody after each. */
function play(slots: number, played: Step[], check: (guests: Guest[]) => void): Guest[] {
  const queue = new EndpointQueue(slots);
  const guests: Guest[] = [];
  for (const step of played) {
    if (step.type === "enter") {
      guests.push({ ...step.newcomer, ticket: queue.enter(step.newcomer), arrival: guests.length, hasLeft: false });
    } else {
      const running = step.type === "leave";
      const fitting = guests.filter((each) => !each.hasLeft && (each.ticket.slot !== undefined) === running);
      const guest = fitting[step.which % Math.max(1, fitting.length)];
      guest?.ticket.leave();
      if (guest) guest.hasLeft = true;
    }
    check(guests);
  }
  return guests;
}

const inside = (guests: Guest[]) => guests.filter((each) => !each.hasLeft && each.ticket.slot !== undefined);
const outside = (guests: Guest[]) => guests.filter((each) => !each.hasLeft && each.ticket.slot === undefined);

describe("property: the queue", () => {
  it("admits no more requests than there are slots, never two into one, and keeps no slot free while one waits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (slots, played) => {
        play(slots, played, (guests) => {
          const taken = inside(guests).map(({ ticket }) => ticket.slot);
          expect(taken.length).toBeLessThanOrEqual(slots);
          expect(new Set(taken).size).toBe(taken.length);
          for (const slot of taken) expect(slot).toBeLessThan(slots);
          if (outside(guests).length > 0) expect(taken.length).toBe(slots);
        });
      }),
    );
  });

  it("admits the most urgent first, and the first among equals", () => {
    const urgency = ["turn", "subagent", "background"];
    fc.assert(
      fc.property(fc.array(newcomers, { maxLength: 8 }), (arriving) => {
        const queue = new EndpointQueue(1);
        let holder = queue.enter(turn);
        const waiting = arriving.map((newcomer, arrival) => ({ arrival, newcomer, ticket: queue.enter(newcomer) }));
        const order = waiting.toSorted(
          (a, b) =>
            urgency.indexOf(a.newcomer.priority) - urgency.indexOf(b.newcomer.priority) || a.arrival - b.arrival,
        );
        for (const { ticket } of order) {
          holder.leave();
          expect(ticket.slot).toBe(0);
          holder = ticket;
        }
      }),
    );
  });

  it("reports a place to every request, and the places are 1, 2, 3 …", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (slots, played) => {
        play(slots, played, (guests) => {
          const places = outside(guests).map(({ ticket }) => ticket.ahead);
          expect(places.toSorted((a, b) => a - b)).toEqual(places.map((_, index) => index + 1));
          for (const { ticket } of inside(guests)) expect(ticket.ahead).toBe(0);
        });
      }),
    );
  });

  it("admits every request in the end, in order within a class, when all inside leave again and again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (slots, played) => {
        const guests = play(slots, played, () => undefined);
        const left = new Set(guests.filter((each) => each.hasLeft));
        const served: Guest[] = inside(guests);
        for (let next = served[0]; next; next = inside(guests)[0]) {
          const before = new Set(inside(guests));
          next.ticket.leave();
          next.hasLeft = true;
          served.push(...inside(guests).filter((each) => !before.has(each)));
        }
        expect(new Set([...served, ...left])).toEqual(new Set(guests));
        for (const priority of ["turn", "subagent", "background"]) {
          const waited = served.slice(slots).filter((each) => each.priority === priority);
          const arrivals = waited.map(({ arrival }) => arrival);
          expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});

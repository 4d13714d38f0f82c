import { describe, expect, it } from "vitest";
import { VirtualScreen } from "../../../testkit/src/terminal/index.ts";
import { type Row, row, span, style } from "../text/style.ts";
import { darkTheme } from "../theme/theme.ts";
import { type FrameClock, Presenter, type TerminalOutput } from "./presenter.ts";

/** Time that passes only when the test says so. */
class HandClock implements FrameClock {
  #now = 1000;
  #due = new Map<symbol, { at: number; due: () => void }>();
  now(): number {
    return this.#now;
  }
  set(ms: number, due: () => void): unknown {
    const handle = Symbol("timer");
    this.#due.set(handle, { at: this.#now + ms, due });
    return handle;
  }
  clear(handle: unknown): void {
    this.#due.delete(handle as symbol);
  }
  advance(ms: number): void {
    this.#now += ms;
    for (const [handle, { at, due }] of [...this.#due]) {
      if (at > this.#now) continue;
      this.#due.delete(handle);
      due();
    }
  }
}

/** A terminal that accepts everything, or nothing until it is allowed to. */
class FakeOutput implements TerminalOutput {
  columns = 30;
  rows = 4;
  writes: string[] = [];
  takes = true;
  #drained: (() => void)[] = [];
  write(data: string, taken: () => void): boolean {
    this.writes.push(data);
    if (this.takes) taken();
    else this.#drained.push(taken);
    return this.takes;
  }
  once(_: "drain", listener: () => void): void {
    this.#drained.push(listener);
  }
  drain(): void {
    this.takes = true;
    for (const listener of this.#drained.splice(0)) listener();
  }
}

function setUp(): {
  presenter: Presenter;
  output: FakeOutput;
  clock: HandClock;
  say: (text: string) => void;
  drawn: () => number;
} {
  const output = new FakeOutput();
  const clock = new HandClock();
  const presenter = new Presenter({ output, clock, theme: darkTheme, colours: "truecolor" });
  let rows: Row[] = [];
  let drawn = 0;
  presenter.start(() => {
    drawn += 1;
    return { rows };
  });
  return {
    presenter,
    output,
    clock,
    say: (text) => {
      rows = [row(span(text))];
    },
    drawn: () => drawn,
  };
}

const microtask = (): Promise<void> => Promise.resolve();

describe("Presenter", () => {
  it("paints the first frame at once", () => {
    const { output } = setUp();
    expect(output.writes.length).toBe(1);
  });

  it("paints the echo of a key in the next microtask, several keys as one frame", async () => {
    const { presenter, output, say, drawn } = setUp();
    say("a");
    presenter.requestFrame("key");
    say("ab");
    presenter.requestFrame("key");
    expect(output.writes.length).toBe(1);
    await microtask();
    expect(output.writes.length).toBe(2);
    expect(output.writes[1]).toContain("ab");
    expect(drawn()).toBe(2);
  });

  it("paints a stream at most every 33 ms, with its newest state", () => {
    const { presenter, output, clock, say } = setUp();
    for (let ms = 0; ms < 330; ms++) {
      say(`token ${ms}`);
      presenter.requestFrame("stream");
      clock.advance(1);
    }
    expect(output.writes.length).toBeLessThanOrEqual(11);
    clock.advance(33);
    expect(output.writes.at(-1)).toContain("329");
  });

  it("paints a key between two frames of a stream", async () => {
    const { presenter, output, clock, say } = setUp();
    clock.advance(50);
    presenter.requestFrame("stream");
    clock.advance(0);
    say("k");
    presenter.requestFrame("stream");
    presenter.requestFrame("key");
    await microtask();
    expect(output.writes.length).toBe(2);
  });

  it("writes nothing when nothing changed", async () => {
    const { presenter, output } = setUp();
    presenter.requestFrame("key");
    await microtask();
    expect(output.writes.length).toBe(1);
    expect(presenter.stats.frames).toBe(1);
  });

  it("skips frames while the terminal lags and paints the newest when it has caught up", async () => {
    const { presenter, output, say } = setUp();
    output.takes = false;
    say("one");
    presenter.requestFrame("key");
    await microtask();
    for (const text of ["two", "three", "four"]) {
      say(text);
      presenter.requestFrame("key");
      await microtask();
    }
    expect(output.writes.length).toBe(2);
    output.drain();
    expect(output.writes.length).toBe(3);
    const screen = new VirtualScreen({ columns: 30, rows: 4 });
    for (const write of output.writes) await screen.write(write);
    expect(screen.lines()[0]).toBe("four");
    expect(presenter.stats.skipped).toBe(3);
  });

  it("says which frames the terminal has taken: none that was skipped, and what changed nothing with what was there", async () => {
    const output = new FakeOutput();
    const presenter = new Presenter({ output, theme: darkTheme, colours: "truecolor" });
    const taken: string[] = [];
    let text = "one";
    presenter.start(() => ({ rows: [row(span(text))], taken: () => taken.push(text) }));
    const frame = async (next: string): Promise<void> => {
      text = next;
      presenter.requestFrame("key");
      await microtask();
    };
    expect(taken).toEqual(["one"]);
    await frame("one");
    expect(taken).toEqual(["one", "one"]);
    output.takes = false;
    await frame("two");
    await frame("three");
    expect(taken).toEqual(["one", "one"]);
    text = "four";
    output.drain();
    expect(taken.slice(2)).toHaveLength(2);
    expect(output.writes.at(-1)).toContain("four");
    presenter.stop();
  });

  it("writes the whole screen after a resize and when asked to", async () => {
    const { presenter, output, say } = setUp();
    say("hello");
    presenter.requestFrame("key");
    await microtask();
    output.columns = 10;
    presenter.resize();
    await microtask();
    expect(presenter.size).toEqual({ columns: 10, rows: 4 });
    expect(output.writes.at(-1)).toContain("hello");
    presenter.repaint();
    await microtask();
    expect(output.writes.at(-1)).toContain("hello");
  });

  it("writes nothing while another program has the terminal, and the whole screen afterwards", async () => {
    const { presenter, output, say } = setUp();
    presenter.pause();
    say("changed");
    presenter.requestFrame("key");
    await microtask();
    presenter.resize();
    await microtask();
    expect(output.writes.length).toBe(1);
    presenter.resume();
    await microtask();
    expect(output.writes.at(-1)).toContain("changed");
  });

  it("paints nothing after stop", async () => {
    const { presenter, output, clock, say } = setUp();
    say("x");
    presenter.requestFrame("stream");
    presenter.stop();
    presenter.requestFrame("key");
    clock.advance(100);
    await microtask();
    expect(output.writes.length).toBe(1);
  });

  it("uses the theme's colours", async () => {
    const output = new FakeOutput();
    const presenter = new Presenter({ output, theme: darkTheme, colours: "truecolor" });
    presenter.start(() => ({ rows: [row(span("x", style({ fg: "error" })))] }));
    expect(output.writes[0]).toContain("\u001b[38;2;247;118;142mx");
    presenter.stop();
  });
});

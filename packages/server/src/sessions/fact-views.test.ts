import { updateViewContract } from "@harness/testkit";
import type { EndedSpan } from "../tracing/span-publisher.ts";
import { TraceObserver } from "../tracing/trace-observer.ts";
import { IndexScheduler } from "./index-scheduler.ts";
import type { LiveEntry } from "./live-entry.ts";
import { NameScheduler } from "./name-scheduler.ts";
import { type StreamLine, StreamLineReader } from "./stream/stream-lines.ts";
import { StreamObserver } from "./stream/stream-observer.ts";

/** Records timers, which never fire. */
function timers() {
  const all: { ms: number; isCancelled: boolean }[] = [];
  const later = (ms: number): (() => void) => {
    const timer = { ms, isCancelled: false };
    all.push(timer);
    return () => {
      timer.isCancelled = true;
    };
  };
  return { later, all };
}

/** The lines without the texts, and the texts in one piece, however they came. */
function contentOf(lines: readonly StreamLine[]) {
  const textOf = (wanted: "text" | "thinking") =>
    lines.flatMap((line) => (line.type === wanted ? [line.text] : [])).join("");
  return { text: textOf("text"), thinking: textOf("thinking"), others: lines.filter((line) => !isText(line)) };
}

const isText = ({ type }: StreamLine): boolean => type === "text" || type === "thinking";

updateViewContract({
  name: "when the index of searches is refreshed",
  open() {
    const { later, all } = timers();
    const view = new IndexScheduler({
      ...{ later, refresh: () => Promise.resolve(), isWorking: () => false, report: () => undefined },
    });
    return { view, kept: () => all };
  },
});

updateViewContract({
  name: "when a session is named",
  open() {
    const { later, all } = timers();
    const view = new NameScheduler({ later, report: () => undefined });
    view.onOpened({ session: { sessionId: "s1", nameByModel: () => Promise.resolve("none") } });
    return { view, kept: () => all };
  },
});

updateViewContract({
  name: "the lines of a stream",
  open() {
    const reader = new StreamLineReader(String);
    const lines: StreamLine[] = [];
    return { view: { see: (update) => lines.push(...reader.see(update).lines) }, kept: () => contentOf(lines) };
  },
});

updateViewContract({
  name: "the stream of a session",
  open() {
    let lines: StreamLine[] = [];
    let ends = 0;
    const view = new StreamObserver(() => ({
      begin() {
        lines = [];
      },
      write: (more) => void lines.push(...more),
      end() {
        ends += 1;
      },
      settled: () => Promise.resolve(),
    }));
    view.onOpened({
      log: { header: { sessionId: "s1" }, location: { folder: "/s1" } },
      session: { warn: () => undefined },
      workspace: { settings: { values: { session_stream: true } } },
    } as unknown as LiveEntry);
    return { view, kept: () => ({ ...contentOf(lines), ends }) };
  },
});

updateViewContract({
  name: "the spans of a trace",
  open() {
    const spans: EndedSpan[] = [];
    const view = new TraceObserver({
      ...{ traceparent: undefined, now: () => 0, later: () => () => undefined },
      spans: { add: (span) => void spans.push(span), flush: () => Promise.resolve() },
    });
    return { view, kept: () => spans };
  },
});

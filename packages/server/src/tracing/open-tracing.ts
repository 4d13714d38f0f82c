import type { Egress, RequestOrigin, SentBody, SideEnd } from "@harness/core";
import type { SessionUpdate } from "@harness/protocol";
import type { Workspace } from "@harness/workspace";
import type { SessionObserver } from "../sessions/session-observer.ts";
import type { BesideRequest, TraceObserver, TraceObserverDeps } from "./trace-observer.ts";

type SentWatch = (sessionId: string, from: RequestOrigin) => (sent: SentBody) => void;

type TracingDeps = Pick<TraceObserverDeps, "now" | "later"> & {
  /** The variables of the process. */
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  report(error: unknown, where: string): void;
  guard(isLocalOnly: () => boolean): Egress;
  /** The person's own settings, whatever the folder. */
  own(): Pick<Workspace, "settings">;
};

/** Traces of all sessions for an OpenTelemetry collector. */
export type Tracing = {
  observer: SessionObserver;
  /** Notes the beginning of each request. */
  noting(watch: SentWatch): SentWatch;
  /** Begins to note a request beside the conversations; the returned function ends it. */
  beside(sessionId: string, from: BesideRequest): (end: SideEnd) => void;
  /** The W3C trace context for the programs and servers that a call reaches. */
  traceparentOf(sessionId: string, toolCallId: string): string | undefined;
  /** The next turn of the session belongs to this trace of its client. */
  follow(sessionId: string, traceparent: string): void;
};

/**
 * Undefined without a collector in the variables of the process (https://opentelemetry.io/docs/specs/otel/protocol/exporter/);
 * nothing is loaded then. `.env` files of folders do not count: a project cannot send traces anywhere.
 */
export function openTracing({ guard, own, ...deps }: TracingDeps): Tracing | undefined {
  const { env } = deps;
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  const isNamed = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (!isNamed && !env.OTEL_TRACES_EXPORTER) return undefined;
  /** By session. */
  const open = new Map<string, Pick<Workspace, "settings">>();
  const egress = guard(() => [own(), ...open.values()].some(({ settings }) => settings.values.local_only));
  let tracer: TraceObserver | undefined;
  let problem: string | undefined;
  const loading = load({ ...deps, egress }).then(
    (loaded) => {
      if ("problem" in loaded) problem = loaded.problem;
      else tracer = loaded;
    },
    (error) => deps.report(error, "tracing"),
  );
  const withTracer = (work: (loaded: TraceObserver) => void) => {
    if (tracer) work(tracer);
    else void loading.then(() => tracer && work(tracer));
  };
  return {
    observer: {
      see: (fact: SessionUpdate) => withTracer((loaded) => loaded.see(fact)),
      onOpened({ session, workspace }) {
        open.set(session.sessionId, workspace);
        void loading.then(() => problem !== undefined && session.warn("Traces are not sent.", problem));
      },
      async onClosed(sessionId) {
        await loading;
        await tracer?.closed(sessionId);
        open.delete(sessionId);
      },
    },
    noting: (watch) => (sessionId, from) => {
      const keep = watch(sessionId, from);
      return (sent) => {
        withTracer((loaded) => loaded.requestSent(sessionId, from));
        keep(sent);
      };
    },
    beside(sessionId, from) {
      const startMs = deps.now();
      return (end) => {
        const endMs = deps.now();
        withTracer((loaded) => loaded.requestBeside(sessionId, from, { ...end, startMs, endMs }));
      };
    },
    traceparentOf: (sessionId, toolCallId) => tracer?.traceparentOf(sessionId, toolCallId),
    follow: (sessionId, traceparent) => withTracer((loaded) => loaded.follow(sessionId, traceparent)),
  };
}

async function load(
  deps: Omit<TracingDeps, "guard" | "own"> & { egress: Egress },
): Promise<TraceObserver | { problem: string }> {
  const [{ TraceObserver }, { SpanPublisher }, { exporterSettings }] = await Promise.all([
    import("./trace-observer.ts"),
    import("./span-publisher.ts"),
    import("./exporter-settings.ts"),
  ]);
  const settings = exporterSettings(deps.env, deps.version);
  if ("problem" in settings) return settings;
  return new TraceObserver({
    ...deps,
    traceparent: deps.env.TRACEPARENT,
    spans: new SpanPublisher({ ...deps, ...settings }),
  });
}

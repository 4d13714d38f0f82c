import { type HookView, localTime } from "@harness/protocol";

const NO_HOOKS =
  "There are no hooks here. A hook is a program in ~/.harness/hooks.d/STAGE or .harness/hooks.d/STAGE; `harness plugin new hook NAME --stage STAGE` begins one, and `harness hooks` lists the stages.";

/** The user's hooks by stage, in running order, as lines for display. */
export function hookLines(hooks: readonly HookView[]): string[] {
  const brought = hooks.filter(({ form }) => form !== "built-in");
  if (brought.length === 0) return [NO_HOOKS];
  const events = new Set(brought.map(({ event }) => event));
  return [...events].flatMap((event) => [
    `${event}:`,
    ...hooks.filter((hook) => hook.event === event).map((hook) => `  ${hook.name}${remark(hook)}`),
  ]);
}

function remark({ form, owner, path, replaces, problem, trusted }: HookView): string {
  if (form === "built-in") return " (built in)";
  const state = trusted ? (problem === undefined ? "" : ", not used") : ", not trusted";
  const whose = owner === "project" ? "project" : "you";
  return ` (${whose}${replaces ? ", replaces the built-in step" : ""}${state}) ${path ?? ""}`.trimEnd();
}

/** The hooks for an event, with the end of each last run, and why a hook does not run. */
export function whyLines(event: string, hooks: readonly HookView[]): string[] {
  const brought = hooks.filter(({ form }) => form !== "built-in");
  const found =
    brought.length === 0
      ? `Nothing was found for ${event}.`
      : `Found for ${event}, in this order: ${hooks.map(({ name }) => name).join(", ")}.`;
  return [found, ...brought.flatMap(whyHook)];
}

function whyHook(hook: HookView): string[] {
  const {
    path = hook.name,
    name,
    problem,
    trusted,
    replaces,
    shadows = [],
    timeoutMs,
    passEnv = [],
    notes = [],
  } = hook;
  const limits = timeoutMs === undefined ? "" : ` Its time limit is ${seconds(timeoutMs)}.`;
  const passed = passEnv.length === 0 ? "" : ` It gets ${passEnv.join(", ")}.`;
  return [
    `${name}: ${path}`,
    ...(problem === undefined ? [] : [`  ${problem}`]),
    ...(trusted ? [] : ["  harness trust shows what it would do."]),
    ...(replaces ? ["  It replaces the built-in step of that name."] : []),
    ...shadows.map((other) => `  It replaces ${other}.`),
    ...notes.map((note) => `  ${note}`),
    ...(problem === undefined ? [`  ${lastRun(hook)}${limits}${passed}`] : []),
  ];
}

function lastRun({ last }: HookView): string {
  if (!last) return "It has not run yet.";
  const { at, durationMs, outcome, exit, words, sessionId } = last;
  const where = sessionId === undefined ? "" : ` in session ${sessionId}`;
  const { date, seconds: clock } = localTime(at);
  const when = `${date} at ${clock}${where}`;
  const detail = words === undefined ? "" : `: ${words.replaceAll("\n", " ").replace(/\.$/, "")}`;
  if (outcome === "ok") return `It last ran on ${when}, took ${durationMs} ms, and succeeded (${exit}).`;
  if (outcome === "cancelled") return `It last ran on ${when}, took ${durationMs} ms, and was cancelled.`;
  const how = outcome === "refused" ? "refused" : "failed";
  return `It last ran on ${when}, took ${durationMs} ms, and ${how} (${exit})${detail}.`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

import { type AgentState, ROOT_AGENT } from "@harness/protocol";
import { useMemo } from "react";
import { DialogPanel } from "../../dialogs/dialog-view.tsx";
import { elapsed } from "../../figures/elapsed.ts";
import type { Extent } from "../../render/canvas.ts";
import type { TranscriptState, TranscriptView } from "../../render/transcript/index.ts";
import { latestDoing, shownAgent } from "../../state/agents.ts";
import type { AppState } from "../../state/app-state.ts";
import { EMPTY_ROW, type Row, row, span, style } from "../../text/index.ts";
import { ActiveScope } from "../../widgets/active-scope.tsx";
import { type FrameContent, oncePerMoment } from "../../widgets/frame-content.ts";
import { PaintedRows, Rows } from "../../widgets/rows.tsx";
import { useView, useWindow, useWindowParts } from "../../widgets/use-window.ts";
import { agentHeader } from "./agent-header.ts";
import { agentStrip } from "./agent-strip.ts";
import { chatRows } from "./chat-rows.ts";
import { inboxRows } from "./inbox-rows.ts";
import { processStrip } from "./process-strip.ts";
import { statusRow } from "./status-row.ts";

const MUTED = style({ fg: "muted" });
const ACCENT = style({ fg: "accent" });
const NOTHING: TranscriptState = { items: [], output: new Map() };

/** The conversation: transcript, current activity, and what waits for the user. */
export function ChatView() {
  return (
    <>
      <ActiveScope name="session" />
      <AgentHeader />
      <Transcript />
      <Strips />
      <AboveInput />
      <ActiveScope name="conversation" />
    </>
  );
}

/** The name of the agent in view, over a subagent's transcript. */
function AgentHeader() {
  const isThere = useWindow(({ state }) => state.session !== undefined && state.agentInView !== ROOT_AGENT);
  return isThere ? <PaintedRows height={1} paint={paintHeader} /> : null;
}

function paintHeader({ state, wallNowMs }: FrameContent) {
  return { rows: state.session ? [agentHeader(state, state.session, wallNowMs)] : [] };
}

function Transcript() {
  const { transcript } = useWindowParts();
  return <PaintedRows name="transcript" paint={(moment, extent) => paintTranscript(transcript, moment, extent)} />;
}

function paintTranscript(transcript: TranscriptView, { state, wallNowMs, unprinted }: FrameContent, extent: Extent) {
  transcript.resize(extent.columns, extent.rows);
  const shown = transcriptOf(state, wallNowMs);
  transcript.show(unprinted && state.agentInView === ROOT_AGENT ? { ...shown, items: unprinted } : shown);
  const rows = transcript.rows();
  const { below, fresh } = transcript.position;
  if (below === 0 || extent.rows < 2) return { rows };
  const more = row(
    span(` ↓ ${below} more ${below === 1 ? "row" : "rows"}`, ACCENT),
    span(`${fresh > 0 ? ` · ${fresh} new` : ""}`, ACCENT),
    span(
      state.keymap.names.say("transcript.scrollToEnd", (key) => `  ${key}`),
      MUTED,
    ),
  );
  return { rows: [...rows.slice(0, extent.rows - 1), more] };
}

/** The transcript of the agent in view; the activity of its subagents is read only for rows in view. */
function transcriptOf(state: AppState, nowMs: number): TranscriptState {
  const { session } = state;
  const agent = shownAgent(state);
  if (!session || !agent) return NOTHING;
  const owner = `${session.sessionId} ${agent.agentId}`;
  if (session.running.size === 0) return { ...agent, owner };
  const output: TranscriptState["output"] = {
    get: (id) =>
      agent.output.get(id) ?? (session.running.has(id) ? activity(session.agents.get(id), nowMs) : undefined),
    has: (id) => agent.output.has(id) || session.running.has(id),
  };
  return { ...agent, owner, output };
}

function activity(agent: AgentState | undefined, nowMs: number): string | undefined {
  if (!agent) return undefined;
  const since = agent.startedAt === undefined ? "" : elapsed(nowMs - Date.parse(agent.startedAt));
  return [since, latestDoing(agent)].filter((each) => each !== "").join(" · ");
}

const stripsAt = oncePerMoment(stripRows);

/** The activity of the agent in view, and of the agents beside it. */
function Strips() {
  const height = useWindow((moment) => stripsAt(moment).length);
  return <PaintedRows height={height} paint={(moment) => ({ rows: stripsAt(moment) })} />;
}

function stripRows(moment: FrameContent): Row[] {
  const { state, wallNowMs } = moment;
  // The dialog needs the rows.
  if (state.dialogs.length > 0) return [];
  const activityRow = activityOf(moment);
  const beside = [agentStrip, processStrip].map((strip) => strip(state, wallNowMs));
  const inbox = inboxRows(shownAgent(state), state.size.columns);
  return [activityRow, ...beside, ...inbox].filter((each) => each !== undefined);
}

/** The row that moves while the agent in view is at work. */
function activityOf({ state, nowMs, tick }: FrameContent): Row | undefined {
  const { session, size, turnSinceMs, request, agentInView, keymap } = state;
  const keys = keymap.names;
  const agent = shownAgent(state);
  const isMain = agentInView === ROOT_AGENT;
  const isBusy = isMain ? turnSinceMs !== undefined : agent?.run === "running";
  if (!isBusy) return undefined;
  const stops = isMain ? keys.hint("anywhere.escape", "stops") : keys.hint("anywhere.interrupt", "stops it");
  const moment = {
    sinceMs: isMain ? turnSinceMs : undefined,
    requestSinceMs: request?.sinceMs,
    nowMs,
    columns: size.columns,
    tick,
    stops,
  };
  return statusRow(session, agent, moment) ?? EMPTY_ROW;
}

/** Dialogs, waiting items, and the rows of the input. */
function AboveInput() {
  const view = useView();
  const { above, dialog, below } = useMemo(() => chatRows(view), [view]);
  return (
    <>
      <Rows rows={above} />
      <DialogPanel framed={dialog} />
      <Rows rows={below} />
    </>
  );
}

import { firstUserText, holds, type ScriptedRequest } from "./conversation.ts";
import type { Fault } from "./fault-schema.ts";
import type { Scenario, ScenarioTurn, When } from "./scenario.ts";

/** The answer to one request, chosen. */
export interface PickedTurn {
  turn: ScenarioTurn;
  lane: string;
  /** Index of the turn in its lane. */
  turnIndex: number;
  /** 1 for the first request that got this turn; retries increment it. */
  attempt: number;
  /** The fault applied to this attempt. */
  fault: Fault | undefined;
  /** Unique in the server's life, and the same in every run: used for call ids. */
  key: string;
  /** Must be called if a faulted attempt delivered the whole turn after all: the turn is then used up. */
  delivered(): void;
}

type PickResult = { ok: true; pick: PickedTurn } | { ok: false; problem: string };

interface Entry {
  turn: ScenarioTurn;
  index: number;
  playsLeft: number;
  plays: number;
  attempts: number;
}

interface Cursor {
  lane: string;
  name: string;
  entries: Entry[];
  /** Everything before it is used up. */
  first: number;
}

interface Lane {
  name: string;
  match: When;
  perConversation: boolean;
  turns: readonly ScenarioTurn[];
}

/** Plays a scenario: hands out its turns in order, lane by lane. */
export class ScenarioPlayer {
  readonly #scenario: Scenario;
  readonly #lanes: readonly Lane[];
  readonly #fallback: Lane;
  readonly #cursors = new Map<string, Cursor>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#lanes = scenario.lanes.map((lane, index) => {
      const match = typeof lane.match === "string" ? { firstUser: lane.match } : lane.match;
      return { ...lane, name: lane.name ?? `lane ${index + 1}`, match };
    });
    this.#fallback = { name: "default", match: {}, perConversation: false, turns: scenario.turns };
  }

  /** The first unused turn of the conversation's lane whose `when` holds. */
  next(conversation: ScriptedRequest): PickResult {
    const lane = this.#lanes.find((one) => holds(one.match, conversation)) ?? this.#fallback;
    const cursor = this.#cursorOf(lane, conversation);
    while ((cursor.entries[cursor.first]?.playsLeft ?? 1) === 0) cursor.first += 1;
    for (let at = cursor.first; at < cursor.entries.length; at += 1) {
      const entry = cursor.entries[at];
      if (entry === undefined || entry.playsLeft === 0) continue;
      if (entry.turn.when !== undefined && !holds(entry.turn.when, conversation)) continue;
      return { ok: true, pick: play(entry, cursor) };
    }
    return { ok: false, problem: this.#exhausted(cursor, conversation) };
  }

  #cursorOf(lane: Lane, conversation: ScriptedRequest): Cursor {
    const key = lane.perConversation ? `${lane.name}\n${firstUserText(conversation)}` : lane.name;
    const known = this.#cursors.get(key);
    if (known !== undefined) return known;
    const entries = lane.turns.map((turn, index) => ({
      turn,
      index,
      playsLeft: turn.repeat === "always" ? Number.POSITIVE_INFINITY : turn.repeat,
      plays: 0,
      attempts: 0,
    }));
    // By the lane's index, so that ids do not depend on which lane is used first (only such conversations need more).
    const place = String(this.#lanes.indexOf(lane) + 1);
    const name = lane.perConversation ? `${place}_${this.#cursors.size}` : place;
    const cursor = { lane: lane.name, name, entries, first: 0 };
    this.#cursors.set(key, cursor);
    return cursor;
  }

  #exhausted(cursor: Cursor, conversation: ScriptedRequest): string {
    const asked = JSON.stringify(firstUserText(conversation).slice(0, 80));
    const left = cursor.entries.filter((entry) => entry.playsLeft > 0).length;
    const count = cursor.entries.length;
    const why =
      left === 0
        ? `all ${count} turns of lane "${cursor.lane}" have been played`
        : `${left} of the ${count} turns of lane "${cursor.lane}" are left, but no "when" of theirs holds`;
    return (
      `The scenario "${this.#scenario.name}" has no turn for this request: ${why} ` +
      `(conversation begins with ${asked}). Add a turn, or give one "repeat".`
    );
  }
}

function play(entry: Entry, cursor: Cursor): PickedTurn {
  const { turn } = entry;
  entry.attempts += 1;
  const attempt = entry.attempts;
  const useUp = () => {
    entry.plays += 1;
    entry.playsLeft -= 1;
    entry.attempts = 0;
  };
  const times = turn.fault?.times === "always" ? Number.POSITIVE_INFINITY : (turn.fault?.times ?? 0);
  const fault = attempt <= times ? turn.fault : undefined;
  const pick: PickedTurn = {
    turn,
    lane: cursor.lane,
    turnIndex: entry.index,
    attempt,
    fault,
    key: `${cursor.name}_${entry.index}_${entry.plays}`,
    delivered: () => undefined,
  };
  if (fault === undefined || (saysNothing(turn) && attempt === times)) useUp();
  else pick.delivered = useUp;
  return pick;
}

function saysNothing(turn: ScenarioTurn): boolean {
  return [turn.text, turn.thinking, turn.toolCalls, turn.generate].every((part) => part === undefined);
}

import { GOAL_NOTE, goalText } from "@harness/core";
import { type GoalBudget, MAX_GOAL_LENGTH, protocolError } from "@harness/protocol";
import { startTurn } from "../send-message.ts";
import { type CommandAnswer, misused, type ServerCommand, type SessionContext } from "../server-command.ts";

const USAGE =
  "Usage: /goal TEXT, with --rounds N, --tokens N or --cost USD before the text to limit it; /goal alone shows it, /goal pause checks it no longer, /goal resume goes on, /goal clear drops it.";
const MAX_ROUNDS = 100;
const DEFAULT_ROUNDS = 20;
/** Other programs' words, too. */
const CLEAR = new Set(["clear", "stop", "off", "reset", "none", "cancel", "drop"]);
const GO_ON = "Go on with the goal.";

export const goalCommand: ServerCommand = {
  description: "Work until a check by a second request says that the goal is met, within limits.",
  argumentHint: "[--rounds N] [--tokens N] [--cost USD] TEXT | resume | pause | clear",
  needsSession: true,
  startsTurn: true,
  run(context, args) {
    const { session } = context;
    const word = args.toLowerCase();
    if (word === "") return goalText(session.state.goal);
    if (CLEAR.has(word) || word === "pause") {
      takeProblem(session.changeGoal(word === "pause" ? "pause" : "clear"));
      return "";
    }
    if (word === "resume") return work(context, "resume", { text: GO_ON, goal: session.state.goal?.goal ?? "" });
    const wish = readWish(args);
    return work(context, wish, { text: wish.goal });
  },
};

/** The fact comes first: the turn that the message starts works towards it. */
async function work(
  context: SessionContext,
  change: Parameters<SessionContext["session"]["changeGoal"]>[0],
  { text, goal }: { text: string; goal?: string },
): Promise<CommandAnswer> {
  const { session } = context;
  takeProblem(session.changeGoal(change));
  const again = goal === undefined ? [] : [`<goal>\n${goal}\n</goal>`];
  try {
    return await startTurn(context, text, [...again, GOAL_NOTE]);
  } catch (error) {
    session.changeGoal("pause");
    throw error;
  }
}

function takeProblem(refused: { problem: string; unsaved?: true } | undefined): void {
  if (refused?.unsaved) throw protocolError("storage_failed", refused.problem);
  if (refused) throw protocolError("conflict", refused.problem, {});
}

type Limit = (amount: number) => Partial<GoalBudget> | undefined;

const limits: ReadonlyMap<string, Limit> = new Map<string, Limit>([
  ["rounds", (rounds) => (Number.isInteger(rounds) && rounds <= MAX_ROUNDS ? { rounds } : undefined)],
  ["tokens", (tokens) => (Number.isInteger(tokens) ? { tokens } : undefined)],
  ["cost", (usd) => ({ usd })],
]);

function readWish(args: string): { goal: string; budget: GoalBudget } {
  let budget: GoalBudget = { rounds: DEFAULT_ROUNDS };
  let goal = args;
  for (;;) {
    const [whole, name = "", text = ""] = /^--(\S+?)(?:=|\s+)\$?(\S+)\s*/.exec(goal) ?? [];
    if (whole === undefined) break;
    const amount = Number(text);
    const limit = amount > 0 && Number.isFinite(amount) ? limits.get(name)?.(amount) : undefined;
    if (!limit) throw misused(USAGE);
    budget = { ...budget, ...limit };
    goal = goal.slice(whole.length);
  }
  if (goal === "") throw misused(USAGE);
  if (goal.length > MAX_GOAL_LENGTH)
    throw misused(
      `A goal has at most ${MAX_GOAL_LENGTH} characters, this one has ${goal.length}. Name a file that says the rest.`,
    );
  return { goal, budget };
}

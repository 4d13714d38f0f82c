import { AgentBudget, type AgentDefinition, AgentMode, agentModeOf } from "@harness/protocol";
import type { BuilderQuestion, PersonQuestions } from "./person-questions.ts";

/** Checks of answers. */
export type FieldChecks = {
  unknownTools(names: readonly string[]): string[];
  /** Why a model cannot be used; undefined: it can. */
  modelProblem(model: string): Promise<string | undefined>;
};

type Change = Partial<AgentDefinition>;
type Field = {
  name: string;
  ask(agent: AgentDefinition): BuilderQuestion;
  take(text: string, checks: FieldChecks): Promise<Change | { problem: string }> | Change | { problem: string };
  /** The current value, in a few words. */
  shown(agent: AgentDefinition): string;
};

const LOOKING = "read, grep, glob, ls";
const THAT_OF_SESSION = "Same as the session";
const ALL = "All tools";
const USUAL = "Default limits";
const MAX_SHOWN = 60;

/** The questions about an agent, in this order. */
export const agentFields: readonly Field[] = [
  {
    name: "description",
    ask: ({ name }) => ({ message: `What is ${name} for? Models read this to know when to use it.` }),
    take: (text) => ({ description: text.replace(/\s+/g, " ").trim() }),
    shown: ({ description }) => description,
  },
  {
    name: "tools",
    ask: ({ name }) => ({
      message: `Which tools may ${name} use? Choose, or type a list such as: read, grep, bash`,
      options: [ALL, LOOKING, `${LOOKING}, web_search, web_fetch`, `${LOOKING}, bash`],
    }),
    take(text, { unknownTools }) {
      if (text === ALL) return { tools: undefined };
      const tools = text.split(/[\s,]+/).filter((each) => each !== "");
      const unknown = unknownTools(tools);
      return unknown.length === 0 ? { tools } : { problem: `There is no tool ${unknown.join(", ")}.` };
    },
    shown: ({ tools }) => (tools ? tools.join(", ") || "none" : "all"),
  },
  {
    name: "model",
    ask: ({ name }) => ({
      message: `Which model does ${name} use? Choose, or type MODEL or PROVIDER/MODEL.`,
      options: [THAT_OF_SESSION],
    }),
    async take(text, { modelProblem }) {
      if (text === THAT_OF_SESSION) return { model: undefined };
      const problem = await modelProblem(text);
      return problem === undefined ? { model: text } : { problem };
    },
    shown: ({ model = "same as the session" }) => model,
  },
  {
    name: "mode",
    ask: ({ name }) => ({
      message: `Which mode does ${name} run in? It can never do more than its session.`,
      options: [THAT_OF_SESSION, ...AgentMode.options],
      freeText: false,
    }),
    take: (text) => ({ mode: agentModeOf(text) }),
    shown: ({ mode = "same as the session" }) => mode,
  },
  {
    name: "limits",
    ask: ({ name }) => ({
      message: `Which limits does ${name} have? Choose, or type them: turns 20, tokens 200000, seconds 600, usd 0.5`,
      options: [USUAL],
    }),
    take: (text) => (text === USUAL ? { budget: undefined } : readBudget(text)),
    shown({ budget }) {
      const limits = Object.entries(budget ?? {}).map(([key, value]) => `${key} ${value}`);
      return limits.join(", ") || "default";
    },
  },
  {
    name: "prompt",
    ask: ({ name }) => ({
      message: `How should ${name} work? This becomes its system prompt; you can edit the file later.`,
    }),
    take: (text) => ({ prompt: text.trim() }),
    shown: ({ prompt }) => prompt.replace(/\s+/g, " "),
  },
];

/**
 * The agent with the answer to a question about it, repeated until the answer is valid; undefined: the user stopped.
 */
export async function askField(
  field: Field,
  agent: AgentDefinition,
  questions: PersonQuestions,
  checks: FieldChecks,
): Promise<AgentDefinition | undefined> {
  const question = field.ask(agent);
  for (let problem = ""; ; ) {
    const message = problem === "" ? question.message : `${problem}\n${question.message}`;
    const text = await questions.ask({ ...question, message });
    if (text === undefined) return undefined;
    const change = await field.take(text, checks);
    if (!("problem" in change)) return { ...agent, ...change };
    problem = change.problem;
  }
}

/** The field with its current value, as an option to choose. */
export function fieldOption(field: Field, agent: AgentDefinition): string {
  const value = field.shown(agent);
  return `${field.name}: ${value.length <= MAX_SHOWN ? value : `${value.slice(0, MAX_SHOWN).toWellFormed()}…`}`;
}

function readBudget(text: string): Change | { problem: string } {
  const budget: Record<string, number> = {};
  const rest = text.replace(
    /(turns|tokens|seconds|usd)\s{0,20}[=:]?\s{0,20}\$?(\d[\d_]*(?:\.\d+)?)/gi,
    (_all, key, value) => {
      budget[String(key).toLowerCase()] = Number(String(value).replaceAll("_", ""));
      return "";
    },
  );
  const read = AgentBudget.safeParse(budget);
  const isWhole = rest.replace(/[\s,;]|and/g, "") === "";
  if (isWhole && read.success && Object.keys(budget).length > 0) return { budget: read.data };
  return { problem: `${JSON.stringify(text)} is not a list of limits such as: turns 20, usd 0.5` };
}

import type { AgentDefinition, NamedAgentView } from "@harness/protocol";
import { agentFields, askField, type FieldChecks, fieldOption } from "../agent-builder/agent-fields.ts";
import { PersonQuestions } from "../agent-builder/person-questions.ts";
import { misused, type ServerCommand, type SessionContext } from "./server-command.ts";

const USAGE = "Type /agents list, /agents show NAME, /agents new NAME, /agents edit NAME or /agents rm NAME.";
const STOPPED = "Nothing was written.";
const SAVE = "Save it";
const MINE = "Me, in every project";
const PROJECT = "This project: .harness/agents";

type Run = (context: SessionContext, name: string) => Promise<string> | string;

const verbs: Readonly<Record<string, Run>> = {
  list: ({ workspace }) => agentList(workspace.brought.agents.list()),
  show: ({ workspace }, name) => agentText(workspace.brought.agents.need(name)),
  new: newAgent,
  edit: editAgent,
  rm: removeAgent,
};

export const agentsCommand: ServerCommand = {
  description: "List, show, create, edit and remove named agents.",
  argumentHint: "[list | show | new | edit | rm NAME]",
  needsSession: true,
  leavesLane: true,
  run(context, args) {
    const [verb = "list", ...words] = args.split(/\s+/).filter(Boolean);
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!run || (words.length === 0 && !["list", "new"].includes(verb))) throw misused(USAGE);
    return run(context, words.join(" "));
  },
};

function agentList({ agents, unused }: ReturnType<SessionContext["workspace"]["brought"]["agents"]["list"]>): string {
  const lines = agents.map(({ name, description, owner }) => {
    return `${name}${owner === "project" ? " (this project)" : ""}: ${description}`;
  });
  const none = lines.length === 0 ? ["There are no named agents here. /agents new NAME creates one."] : [];
  return [...none, ...lines, ...unused.map(({ problem }) => problem)].join("\n");
}

function agentText(agent: NamedAgentView): string {
  const fields = agentFields.slice(0, -1).map((field) => `${field.name}: ${field.shown(agent)}`);
  const notes = agent.notes.map((each) => `Note: ${each}.`);
  return [agent.path, ...fields, ...notes, "", agent.prompt].join("\n");
}

async function newAgent(context: SessionContext, typedName: string): Promise<string> {
  const { agents } = context.workspace.brought;
  const questions = questionsOf(context);
  const name =
    typedName || ((await questions.ask({ message: "What is the agent's name? For example: code-reviewer" })) ?? "");
  if (name === "") return STOPPED;
  const wrong = agents.nameProblem(name);
  if (wrong !== undefined) throw misused(wrong);
  const existing = agents.find(name);
  if (existing) return `Agent ${existing.name} already exists: /agents edit ${existing.name}`;
  const checks = checksOf(context);
  let agent: AgentDefinition = { name, description: "", prompt: "" };
  for (const field of agentFields) {
    const next = await askField(field, agent, questions, checks);
    if (!next) return STOPPED;
    agent = next;
  }
  const owner = await questions.ask({ message: `Who is ${name} for?`, options: [MINE, PROJECT], freeText: false });
  if (owner === undefined) return STOPPED;
  return saveAgent(context, agent, { owner: owner === PROJECT ? "project" : "person", replace: false });
}

async function editAgent(context: SessionContext, name: string): Promise<string> {
  const found = context.workspace.brought.agents.need(name);
  const { path: _path, owner, shadows: _shadows, notes: _notes, ...definition } = found;
  const questions = questionsOf(context);
  const checks = checksOf(context);
  for (let agent: AgentDefinition = definition; ; ) {
    const options = [SAVE, ...agentFields.map((field) => fieldOption(field, agent))];
    const chosen = await questions.ask({
      message: `What do you want to change about ${agent.name}?`,
      options,
      freeText: false,
    });
    if (chosen === undefined) return STOPPED;
    if (chosen === SAVE) return saveAgent(context, agent, { owner, replace: true });
    const field = agentFields.find((each) => fieldOption(each, agent) === chosen);
    // Without an answer the value stays the same.
    if (field) agent = (await askField(field, agent, questions, checks)) ?? agent;
  }
}

function removeAgent({ workspace }: SessionContext, name: string): string {
  const { agents } = workspace.brought;
  const { name: found, owner, path } = agents.need(name);
  if (agents.remove(found, owner)) return `Removed: ${path}`;
  return `${path} was not created by harness: delete the file yourself.`;
}

async function saveAgent(
  { workspace }: SessionContext,
  agent: AgentDefinition,
  { owner, replace }: { owner: NamedAgentView["owner"]; replace: boolean },
): Promise<string> {
  const { path, notes } = await workspace.brought.agents.save({ agent, owner, replace });
  return [`Saved: ${path}`, ...notes.map((each) => `Note: ${each}.`), `Try it: harness agents test ${agent.name}`].join(
    "\n",
  );
}

function questionsOf({ host, session, signal }: SessionContext): PersonQuestions {
  const questions = new PersonQuestions(host.sessions.live.need(session.sessionId).requests, signal);
  if (questions.canAsk) return questions;
  throw misused(
    "Nobody can be asked here. Write .harness/agents/NAME.md yourself: name and description between two lines of ---, then what the agent is told.",
  );
}

function checksOf({ host, workspace }: SessionContext): FieldChecks {
  return {
    unknownTools: (names) => workspace.brought.agents.unknownTools(names),
    async modelProblem(model) {
      const choice = await host.models.choice.choose(workspace, { model });
      return "problem" in choice ? choice.problem : undefined;
    },
  };
}

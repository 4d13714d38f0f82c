import { ROOT_AGENT, type Todo } from "@harness/protocol";
import type { FrontCommand } from "./front-command.ts";

const states: Record<Todo["status"], string> = { pending: "open", in_progress: "now", completed: "done" };

/** The list that the agent keeps of its work; what runs in the background has commands of its own. */
export const tasksCommand: FrontCommand = {
  aliases: ["todos"],
  words: "Show the agent's list of tasks",
  whileBusy: true,
  run(front) {
    const { todos = [] } = front.session.state?.agents.get(ROOT_AGENT) ?? {};
    if (todos.length === 0)
      return front.say("The agent keeps no list of tasks yet. /ps shows background processes, /agents its agents.");
    front.show(
      "Tasks",
      todos.map(({ status, text }) => [states[status], text]),
    );
  },
};

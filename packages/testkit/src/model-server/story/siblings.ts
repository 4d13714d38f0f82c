import type { TurnInput } from "./scenario.ts";
import { turns } from "./turns.ts";

/** A call for `turns.calls` that starts a subagent. */
export const startSubagentCall = (task: string, more: object = {}) => ["start_subagent", { task, ...more }] as const;

/** Waits for a file that a different agent makes. */
export const untilFile = (file: string): TurnInput =>
  turns.call("bash", { command: `until [ -e ${file} ]; do sleep 0.02; done` });

const tells = (file: string, to: string, text: string): TurnInput =>
  turns.calls([
    ["send_message", { to, text }],
    ["bash", { command: `touch ${file}` }],
  ]);

/**
 * The replies of agent-1 and agent-2, which exchange five messages and create a file each, a.txt and b.txt. Each waits
 * for the other's file, so that the messages cross in only one order.
 */
export function siblingReplies(makes: (file: string, content: string) => TurnInput): [TurnInput[], TurnInput[]] {
  return [
    [
      untilFile("0"),
      tells("1", "agent-2", "What is your half?"),
      untilFile("2"),
      tells("3", "agent-2", "Mine is A."),
      untilFile("4"),
      tells("5", "agent-2", "Agreed."),
      makes("a.txt", "A"),
      turns.say("a.txt has A"),
    ],
    [
      turns.call("bash", { command: "touch 0" }),
      untilFile("1"),
      tells("2", "agent-1", "The second one."),
      untilFile("3"),
      tells("4", "agent-1", "Then I take B."),
      untilFile("5"),
      makes("b.txt", "B"),
      turns.say("b.txt has B"),
    ],
  ];
}

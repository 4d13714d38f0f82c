import type { ClientCommand } from "./client-command.ts";

const MAX_SHOWN_BYTES = 16_000;

/** `/processes`: what commands of the agent keep running in the background. */
export const processesCommand: ClientCommand = {
  description: "List the background processes of this session, read what one has printed, or stop it.",
  hint: "[read ID | stop ID]",
  async run(args, { client, sessionId }) {
    const [action, processId] = args.split(/\s+/);
    if (action === "read" && processId !== undefined)
      return (await client.call("process/read", { sessionId, processId, maxBytes: MAX_SHOWN_BYTES })).text;
    if (action === "stop" && processId !== undefined) {
      const { process } = await client.call("process/stop", { sessionId, processId });
      return `${process.processId} is ${process.state}.`;
    }
    if (action) return "Usage: /processes [read ID | stop ID]";
    const { processes } = await client.call("process/list", { sessionId });
    if (processes.length === 0) return "No background processes.";
    return processes.map(({ processId: id, state, command }) => `${id}  ${state}  ${command}`).join("\n");
  },
};

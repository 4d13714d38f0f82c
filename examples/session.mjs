// A program that drives harness: node examples/session.mjs "fix the failing test" [folder] [session]
// Every permission is given once; with a session (its id, or the start of it) it goes on there.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openClient, Session, spawnServer } from "harness/client";

const [prompt = "Say hello.", folder = ".", stored] = process.argv.slice(2);
const cwd = resolve(folder);
const command = process.env.HARNESS_COMMAND ?? fileURLToPath(import.meta.resolve("harness/bin/harness"));
const { channel } = spawnServer({
  ...{ command, args: ["serve", "--stdio"], cwd, env: process.env },
  onStderr: (text) => process.stderr.write(text),
});

const client = await openClient(channel, {
  clientInfo: { name: "example", version: "1" },
  onUpdate: (update) => session.take(update),
  onPermission: async ({ permission: { title, options } }) => {
    process.stderr.write(`Allowed: ${title}\n`);
    return { outcome: "selected", optionId: options.find(({ kind }) => kind === "allow_once").optionId };
  },
  onQuestion: async ({ options: [first] }) =>
    first ? { action: "accept", optionId: first.optionId } : { action: "decline" },
  onLost: () => session.lost(new Error("The server has ended.")),
  onBug: (error) => process.stderr.write(`${error}\n`),
});

const session = new Session(
  client,
  { cwd, maxTurns: 20 },
  {
    onUpdate({ update }) {
      if (update.sessionUpdate === "agent_message_chunk") process.stdout.write(update.text);
    },
  },
);

if (stored) await session.resume(stored);
await session.turn(async () => !(await session.prompt(prompt)).duplicate);
const { items, error, stopReason } = session.state.agents.get("main");
process.stderr.write(`\n${error?.message ?? stopReason}; ${items.length} entries in session ${session.id}\n`);
await client.close();
process.exitCode = error ? 1 : 0;

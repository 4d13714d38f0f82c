// One question in many folders, side by side over one server: node examples/fleet.ts "does it build?" FOLDER...
// The agents may read and run what only reads; what needs a permission is refused. Prints a line of JSON for each folder.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { AnswerSchema, errorText, openClient, Session, spawnServer } from "harness/client";

const [question = "What is this?", ...folders] = process.argv.slice(2);
const command = process.env.HARNESS_COMMAND ?? fileURLToPath(import.meta.resolve("harness/bin/harness"));
const schema = await AnswerSchema.of({
  type: "object",
  properties: { ok: { type: "boolean" }, why: { type: "string" } },
  required: ["ok", "why"],
});

const sessions: Session[] = [];
const { channel } = spawnServer({
  ...{ command, args: ["serve", "--stdio"], cwd: process.cwd(), env: process.env },
  onStderr: (text) => process.stderr.write(text),
});
const client = await openClient(channel, {
  clientInfo: { name: "fleet", version: "1" },
  // Each session takes its own.
  onUpdate: (update) => {
    for (const session of sessions) session.take(update);
  },
  onLost: () => {
    for (const session of sessions) session.lost(new Error("The server has ended."));
  },
  onBug: (error) => process.stderr.write(`${error}\n`),
});

/** The text of the last message in the turn. */
async function ask(session: Session, prompt: string): Promise<string> {
  await session.turn(async () => !(await session.prompt(prompt)).duplicate);
  const main = session.state?.agents.get("main");
  if (main?.error) throw new Error(main.error.message);
  const last = main?.items.findLast((item) => item.kind === "agent");
  return (last?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}

async function report(folder: string): Promise<unknown> {
  const session = new Session(client, { cwd: resolve(folder), maxTurns: 20, budget: { usd: 1 } }, {});
  sessions.push(session);
  let checked = schema.check(await ask(session, `${question}\n\n${schema.instructions}`));
  if ("problem" in checked) checked = schema.check(await ask(session, schema.repair(checked.problem)));
  if ("problem" in checked) throw new Error(checked.problem);
  return checked.value;
}

const answers = folders.map(async (folder) => {
  try {
    process.stdout.write(`${JSON.stringify({ folder, answer: await report(folder) })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ folder, error: errorText(error) })}\n`);
    process.exitCode = 1;
  }
});
await Promise.all(answers);
await client.close();

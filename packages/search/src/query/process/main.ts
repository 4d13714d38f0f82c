import { IndexReaders } from "./index-readers.ts";
import type { QueryCall, QueryReply } from "./messages.ts";

// The process that searches indexes. It ends with the process that started it.

process.on("disconnect", () => process.exit(0));
// Ctrl+C in a terminal reaches every process; the one that started this one decides what it ends.
process.on("SIGINT", () => undefined);

const readers = new IndexReaders();

process.on("message", async (call: QueryCall) => {
  let reply: QueryReply;
  try {
    reply = { id: call.id, answer: await readers.answer(call) };
  } catch (error) {
    reply = { id: call.id, problem: `The index could not be searched: ${reasonOf(error)}.` };
  }
  if (process.connected) process.send?.(reply);
});

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

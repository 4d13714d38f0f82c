import { GuardedServer } from "../auth/guarded-server.ts";

// A server that wants a login, as a process of its own: it says where it is, and ends with its input.
const server = await new GuardedServer().listen();
process.stdout.write(`${server.url}\n`);
process.stdin.resume().on("end", () => void server.close());

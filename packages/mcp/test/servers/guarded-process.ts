import { GuardedServer } from "../auth/guarded-server.ts";

// A server that requires a login, in its own process: it prints its address, and ends with its input.
const server = await new GuardedServer().listen();
process.stdout.write(`${server.url}\n`);
process.stdin.resume().on("end", () => void server.close());

import { connect } from "node:net";
import { exitCodes } from "../process/exit-codes.ts";
import { listeningPath } from "./listening-path.ts";

/**
 * `harness serve --stdio --listen`: leads stdin and stdout to the server that listens for this person, which is started
 * if there is none. It goes on when they are cut.
 */
export async function bridge(): Promise<number> {
  const socket = connect(await listeningPath());
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  return await new Promise((done) => {
    // The server's last words reach stdout before this ends.
    socket.on("error", () => done(exitCodes.failed.code)).on("close", () => done(exitCodes.done.code));
    process.stdout.on("error", () => socket.destroy());
  });
}

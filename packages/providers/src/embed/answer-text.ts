import { WrongApiError } from "../wires/failures/failure.ts";
import type { Exchange } from "../wires/http/exchange.ts";
import { bearer, type RequestAccess } from "../wires/http/request-access.ts";

/** Sends a request with the vendor's client, and reads the whole body. Rejects with the cause. */
export async function answerText(
  exchange: Exchange,
  access: RequestAccess,
  send: (send: typeof fetch) => Promise<unknown>,
): Promise<string> {
  exchange.authorize(bearer(await access.access()));
  let clientError: unknown;
  try {
    await send(exchange.fetch);
  } catch (error) {
    // A client that reads the answer itself finds an empty one.
    clientError = error;
  }
  if (exchange.problem !== undefined) throw exchange.problem;
  const pieces: Uint8Array[] = [];
  for await (const piece of exchange.body()) pieces.push(piece);
  const text = Buffer.concat(pieces).toString("utf8");
  if (text === "" && clientError !== undefined && exchange.contentType === "") throw clientError;
  if (exchange.contentType.includes("html")) throw new WrongApiError("a web page");
  return text;
}

import { type CallParams, protocolError, type Result, type ServerMethods } from "@harness/protocol";

type Drawing = CallParams<ServerMethods, "image/draw">;

/** An image as pixels for the cells of a screen. Fails with a sentence. */
export async function drawImage(
  { data, ...box }: Drawing,
  signal: AbortSignal,
): Promise<Result<ServerMethods, "image/draw">> {
  const { drawnImage } = await import("@harness/tools");
  const drawn = await drawnImage(Buffer.from(data, "base64"), box, signal);
  if ("problem" in drawn)
    throw protocolError("not_found", `The image cannot be drawn: ${drawn.problem}.`, { what: "image" });
  const { bytes, widthPx, heightPx } = drawn;
  return { data: Buffer.from(bytes).toString("base64"), widthPx, heightPx };
}

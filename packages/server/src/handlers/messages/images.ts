import { type CallParams, type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { loadImage, namedResources, type PreviewMentionOptions, previewMentions } from "@harness/workspace";
import type { HandlerHost } from "../../handler-host.ts";

type Names = "image/load" | "image/draw" | "prompt/preview";
type PreviewAt = CallParams<ServerMethods, "prompt/preview">["at"];

export function imageHandlers(server: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  return {
    "image/load": ({ source }, { signal }) => loadImage(source, server.identity.env, signal),
    async "image/draw"({ data, ...box }, { signal }) {
      const { drawnImage } = await import("@harness/tools");
      const drawn = await drawnImage(Buffer.from(data, "base64"), box, signal);
      if ("problem" in drawn)
        throw protocolError("not_found", `The image cannot be drawn: ${drawn.problem}.`, { what: "image" });
      const { bytes, widthPx, heightPx } = drawn;
      return { data: Buffer.from(bytes).toString("base64"), widthPx, heightPx };
    },
    async "prompt/preview"({ text, at }) {
      const { cwd, config } = placeOf(server, at);
      const choice = await server.models.choice.choose(cwd, config);
      const chosen = "problem" in choice ? undefined : choice;
      const place = previewPlace(server, at, cwd, chosen?.contextWindow.tokens);
      const seesImages = chosen?.abilities?.images;
      return {
        mentions: await previewMentions(text, place),
        ...(chosen ? { model: chosen.model } : {}),
        ...(seesImages === undefined ? {} : { seesImages }),
      };
    },
  };
}

function placeOf({ sessions: { live } }: HandlerHost, at: PreviewAt) {
  if (!("sessionId" in at)) return { cwd: at.cwd, config: at.config ?? {} };
  const { log, session } = live.need(at.sessionId);
  return { cwd: log.header.cwd, config: session.state.config };
}

/** Before there is a session nothing is refused: what may not be read is said when the message is sent. */
function previewPlace(
  { sessions: { live } }: HandlerHost,
  at: PreviewAt,
  cwd: string,
  windowTokens: number | undefined,
): PreviewMentionOptions {
  if (!("sessionId" in at)) return { cwd, windowTokens, refusal: async () => undefined, isResource: () => false };
  const { session, mcp } = live.need(at.sessionId);
  return {
    cwd,
    windowTokens: session.context()?.windowTokens ?? windowTokens,
    refusal: (path) => session.mentionRefusal(path),
    isResource: (readings) => namedResources(mcp, readings).length > 0,
  };
}

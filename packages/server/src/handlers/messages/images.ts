import type { CallParams, Handlers, imageMethods, ServerMethods } from "@harness/protocol";
import { drawImage, loadImage, namedResources, type PreviewMentionOptions, previewMentions } from "@harness/workspace";
import type { HandlerHost } from "../../handler-host.ts";

type PreviewAt = CallParams<ServerMethods, "prompt/preview">["at"];

export function imageHandlers(server: HandlerHost): Handlers<typeof imageMethods> {
  return {
    "image/load": ({ source }, { signal }) => loadImage(source, server.identity.env, signal),
    "image/draw": (drawing, { signal }) => drawImage(drawing, signal),
    async "prompt/preview"({ text, at }) {
      const { workspace, cwd, config } = placeOf(server, at);
      const choice = await server.models.choice.choose(workspace, config);
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

function placeOf({ sessions: { live }, workspaces }: HandlerHost, at: PreviewAt) {
  if (!("sessionId" in at)) return { workspace: workspaces.at(at.cwd), cwd: at.cwd, config: at.config ?? {} };
  const { workspace, log, session } = live.need(at.sessionId);
  return { workspace, cwd: log.header.cwd, config: session.state.config };
}

/** Nothing is refused before there is a session: files that must not be read are reported when the message is sent. */
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

import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readFileStart, realPathOf } from "@harness/host";
import { type CallParams, type LoadedImage, protocolError, type ServerMethods, shownName } from "@harness/protocol";
import { MAX_IMAGE_BYTES, mentionedPath } from "./mentioned-file.ts";
import { pictureRoom, sentPicture } from "./sent-pictures.ts";

type Source = CallParams<ServerMethods, "image/load">["source"];
type Env = Readonly<Record<string, string | undefined>>;

/** Loads a picture chosen by the user in a form that a message can contain. Fails with a sentence. */
export async function loadImage(source: Source, env: Env, signal: AbortSignal): Promise<LoadedImage> {
  const { name, bytes } = await readSource(source, env, signal);
  const { imageInfo } = await import("@harness/tools");
  if (bytes.length > MAX_IMAGE_BYTES) throw unreadable(`${name} is larger than 20 MB: make it smaller first.`);
  const { mimeType, widthPx, heightPx } = imageInfo(bytes) ?? {};
  if (mimeType === undefined || widthPx === undefined || heightPx === undefined)
    throw unreadable(`${name} is not a PNG, JPEG, GIF, WebP or BMP image that harness can read.`);
  const sent = await sentPicture({ name, bytes }, pictureRoom(1));
  if ("problem" in sent) throw unreadable(sent.problem);
  const { data, widthPx: width = widthPx, heightPx: height = heightPx } = sent;
  const original = { widthPx, heightPx, sizeBytes: bytes.length };
  return { name, mimeType: sent.mimeType, data, widthPx: width, heightPx: height, original };
}

async function readSource(source: Source, env: Env, signal: AbortSignal): Promise<{ name: string; bytes: Buffer }> {
  if (source.from === "data") {
    return { name: shownName(source.name ?? "clipboard"), bytes: Buffer.from(source.data, "base64") };
  }
  if (source.from === "clipboard") {
    const { clipboardImage } = await import("@harness/tools");
    const found = await clipboardImage({ platform: process.platform, env }, signal);
    if ("problem" in found) throw unreadable(found.problem, found.noProgram ? "clipboard_program" : "image");
    return { name: "clipboard", bytes: found.bytes };
  }
  const path = pathOf(source.path, source.cwd);
  const name = shownName(basename(path));
  const start = await readFileStart(await realPathOf(path), MAX_IMAGE_BYTES + 1);
  if (!start) throw unreadable(`There is no image at ${path}.`);
  return { name, bytes: start.bytes };
}

/** Programs from which files are dropped may name them by URL. */
function pathOf(path: string, cwd: string): string {
  if (!path.startsWith("file://")) return mentionedPath(path, cwd);
  try {
    return resolve(fileURLToPath(path));
  } catch {
    throw unreadable(`${path} is not a file on this machine.`);
  }
}

/** `what` tells a client that nothing on this machine reads clipboards, so that it may use another way. */
function unreadable(sentence: string, what: "image" | "clipboard_program" = "image") {
  return protocolError("not_found", sentence, { what });
}

import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { type Content, imageTypeOf, quotedAttribute, shownName, taggedText } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";

const MEBIBYTE = 1024 * 1024;
const MAX_FILE_BYTES = MEBIBYTE;
/** Before the server scales it down. */
const MAX_IMAGE_BYTES = 20 * MEBIBYTE;

export type PromptSources = {
  /** The text of the command line: the server reads files that it mentions with `@`, but none that stdin mentions. */
  words: string;
  stdin: string;
  files: readonly string[];
  images: readonly string[];
  cwd: string;
};

/** Assembles the prompt; throws a `CliError` if it is empty or a file cannot be read. */
export async function promptContent({ words, stdin, files, images, cwd }: PromptSources): Promise<Content[]> {
  const typedText = words.trim();
  const piped = textOrRefusal("stdin", Buffer.from(stdin)).trim();
  if (typedText === "" && piped === "" && files.length === 0)
    throw new CliError(
      "usage",
      'The prompt is empty. Say what to do: harness run "fix the failing test", or pipe it in.',
    );
  const quoted: string[] = [];
  if (piped !== "") quoted.push(typedText === "" ? piped : taggedText("stdin", "", piped));
  for (const path of new Set(files))
    quoted.push(taggedText("file", `path=${quotedAttribute(path)}`, await promptFile(path, cwd)));
  return [
    ...(typedText === "" ? [] : [{ type: "text" as const, text: typedText.toWellFormed() }]),
    ...quoted.map((text) => ({ type: "text" as const, text: text.toWellFormed(), quoted: true })),
    ...(await Promise.all(images.map((path) => readImage(path, cwd)))),
  ];
}

/** The text of a file that the command line names; throws a `CliError`. */
export async function promptFile(path: string, cwd: string): Promise<string> {
  return textOrRefusal(path, await readContent(path, cwd, MAX_FILE_BYTES)).trimEnd();
}

function textOrRefusal(name: string, bytes: Buffer): string {
  if (!bytes.includes(0)) return bytes.toString("utf8").replace(/^\uFEFF/, "");
  throw new CliError("usage", `${name} is not text. Use --image for images.`);
}

async function readImage(path: string, cwd: string): Promise<Content> {
  const mimeType = imageTypeOf(path);
  if (!mimeType) throw new CliError("usage", `${path} is not a supported image: png, jpg, gif, webp or bmp.`);
  const data = (await readContent(path, cwd, MAX_IMAGE_BYTES)).toString("base64");
  return { type: "image", mimeType, data, name: shownName(path) };
}

/** Reads as a stream: `<(command)` is a pipe, and a device may never end. */
async function readContent(path: string, cwd: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const file = await open(resolve(cwd, path));
    for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new CliError("usage", `${path} has more than ${maxBytes / MEBIBYTE} MB: too much for a prompt.`);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a directory" : `cannot be read (${code ?? error})`;
    throw new CliError("usage", `${path} ${why}.`);
  }
  return Buffer.concat(chunks);
}

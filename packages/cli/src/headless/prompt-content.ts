import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import type { Content } from "@harness/protocol";
import { CliError } from "../exit-codes.ts";

const imageTypes: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

const MOST_FILE_BYTES = 1024 * 1024;
const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

export type PromptParts = {
  words: string;
  stdin: string;
  files: readonly string[];
  images: readonly string[];
  cwd: string;
};

/** Puts the prompt together; throws a `CliError` when there is nothing to say or a file cannot be read. */
export async function promptContent({ words, stdin, files, images, cwd }: PromptParts): Promise<Content[]> {
  const said = words.trim() === "" ? stdin.trim() : words.trim();
  const parts = [said];
  if (words.trim() !== "" && stdin.trim() !== "") parts.push(`<stdin>\n${stdin.trimEnd()}\n</stdin>`);
  for (const path of files) {
    const bytes = await read(resolve(cwd, path), MOST_FILE_BYTES);
    parts.push(`<file path="${path}">\n${bytes.toString("utf8").trimEnd()}\n</file>`);
  }
  if (said === "" && files.length === 0)
    throw new CliError(
      "usage",
      'The prompt is empty. Say what to do: harness run "fix the failing test", or pipe it in.',
    );
  const text: Content = { type: "text", text: parts.filter(Boolean).join("\n\n").toWellFormed() };
  return [text, ...(await Promise.all(images.map((path) => readImage(resolve(cwd, path)))))];
}

async function readImage(path: string): Promise<Content> {
  const mimeType = imageTypes[extname(path).toLowerCase()];
  if (!mimeType) throw new CliError("usage", `${path} is no picture that models read: png, jpg, gif or webp.`);
  return { type: "image", mimeType, data: (await read(path, MOST_IMAGE_BYTES)).toString("base64") };
}

async function read(path: string, mostBytes: number): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === "ENOENT"
        ? "does not exist"
        : error.code === "EISDIR"
          ? "is a folder"
          : `cannot be read (${error.code})`;
    throw new CliError("usage", `${path} ${why}.`);
  });
  if (bytes.length <= mostBytes) return bytes;
  throw new CliError(
    "usage",
    `${path} has ${(bytes.length / 1e6).toFixed(1)} MB; at most ${mostBytes / 1024 / 1024} MB can be put into a prompt.`,
  );
}

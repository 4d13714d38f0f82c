import { imageList, unquotedPath } from "@harness/client/actions";
import { imageTypeOf } from "@harness/protocol";
import type { KeyNames } from "../keymap/key-names.ts";
import { attachments } from "../state/attachments.ts";
import type { CommandContext, CommandRow } from "./command-row.ts";

/** Endings that are searched for, so that pictures are offered among all files. */
const ENDINGS = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
const MAX_FILES = 20;

export const image: CommandRow = {
  description: "Add an image to the message, list or remove them",
  argumentHint: "[PATH | clear | drop N]",
  complete: async (context) => {
    const { pictures } = attachments.of(context.store.get());
    const removals = pictures.flatMap(({ name }, at) => [
      { label: `drop ${at + 1}`, detail: name, insert: `drop ${at + 1}` },
    ]);
    const all = pictures.length > 0 ? [{ label: "clear", detail: "remove all", insert: "clear" }] : [];
    const files = await imageFiles(context);
    return [...files.map((path) => ({ label: path, detail: "", insert: path })), ...all, ...removals];
  },
  async run({ store, controllers: { pictures } }, args) {
    const [word = "", rest = ""] = args.trim().split(/\s+(.*)/s);
    if (word === "") store.note("info", (keys) => listed(store, keys));
    else if (word === "clear" && rest === "") {
      const count = pictures.clear();
      store.note("info", count === 0 ? "The message has no image." : "The images are removed.");
    } else if (word === "drop") {
      const number = Number(rest);
      if (!pictures.drop(number)) store.note("error", (keys) => `Usage: /image drop N. ${listed(store, keys)}`);
    } else await pictures.add(unquotedPath(args.trim()));
  },
};

/** The images of the message, or how to add one. */
function listed(store: CommandContext["store"], keys: KeyNames): string {
  const { pictures } = attachments.of(store.get());
  if (pictures.length > 0) return imageList(pictures);
  const paste = keys.say("input.pasteImage", (key) => `, ${key} that of the clipboard`);
  return `The message has no image. /image PATH adds one${paste}.`;
}

async function imageFiles({ store, controllers: { server } }: CommandContext): Promise<string[]> {
  const { cwd } = store.get();
  const found = await Promise.all(
    ENDINGS.map((query) => server.call("files/search", { cwd, query, limit: MAX_FILES }).catch(() => ({ paths: [] }))),
  );
  return [...new Set(found.flatMap(({ paths }) => paths))].filter((path) => imageTypeOf(path) !== undefined);
}

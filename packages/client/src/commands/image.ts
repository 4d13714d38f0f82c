import { imageTypeOf } from "@harness/protocol";
import { imageList, unquotedPath } from "../actions/message-images.ts";
import type { Front, FrontText } from "./front.ts";
import { type FrontCommand, named } from "./front-command.ts";

/** File extensions to search for, so that pictures are offered among all files. */
const ENDINGS = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
const MAX_FILES = 20;

export const imageCommand: FrontCommand = {
  words: "Add an image to the message, list or remove them",
  hint: "[PATH | clear | drop N]",
  lines: {
    words: "Add an image to the next message, list its images, or remove them",
    hint: "[PATH | clipboard | clear | drop N]",
  },
  whileBusy: true,
  complete: async (front) => {
    const images = front.images.all();
    const removals = images.map(({ name }, at) => ({
      label: `drop ${at + 1}`,
      detail: name,
      insert: `drop ${at + 1}`,
    }));
    const all = images.length > 0 ? [{ label: "clear", detail: "remove all", insert: "clear" }] : [];
    return [...named(await imageFiles(front)), ...all, ...removals];
  },
  async run(front, args) {
    const { images } = front;
    const [word = "", rest = ""] = args.split(/\s+(.*)/s);
    const before = images.all();
    if (word === "") return front.say(attachedImages(front));
    if (word === "drop") {
      if (!before[Number(rest) - 1]) return front.say(withUsage(attachedImages(front)), "error");
      images.keep(before.filter((_, at) => at !== Number(rest) - 1));
    } else if (word === "clear" && rest === "") images.keep([]);
    else if (word === "clipboard" && rest === "" && images.paste) await images.paste();
    else await images.add(unquotedPath(args));
    if (!images.areShown) front.say(attachedImages(front));
    else if (word === "clear" && rest === "")
      front.say(before.length === 0 ? "The message has no image." : "The images are removed.");
  },
};

/** The images of the message, or how to add one. */
function attachedImages({ images: { all, areShown } }: Front): FrontText {
  if (all().length > 0) return `${areShown ? "" : "Goes with your next message:\n"}${imageList(all())}`;
  return ({ pasteImage }) => `The message has no image. /image PATH adds one${pasteImage}.`;
}

function withUsage(text: FrontText): FrontText {
  return (words) => `Usage: /image drop N. ${typeof text === "string" ? text : text(words)}`;
}

async function imageFiles({ server, session }: Front): Promise<string[]> {
  const { cwd } = session.terms;
  const found = await Promise.all(
    ENDINGS.map((query) => server.call("files/search", { cwd, query, limit: MAX_FILES }).catch(() => ({ paths: [] }))),
  );
  return [...new Set(found.flatMap(({ paths }) => paths))].filter((path) => imageTypeOf(path) !== undefined);
}

import { imageList, MAX_IMAGES, TOO_MANY_IMAGES, unquotedPath } from "@harness/client/actions";
import { CliError } from "../../process/exit-codes.ts";
import type { LinePlace } from "./line-place.ts";

export const IMAGE_USAGE = "/image [PATH | clipboard | clear | drop N]";

/** Adds an image to the next message, lists those that it has, or removes them. */
export async function image(place: LinePlace, args: string): Promise<void> {
  const { mode, lines, cwd } = place;
  const [word = "", rest = ""] = args.split(/\s+(.*)/s);
  if (word === "drop") {
    const number = Number(rest);
    if (!mode.images[number - 1]) throw new CliError("usage", `Usage: /image drop N. ${listed(place)}`);
    mode.images = mode.images.filter((_, at) => at !== number - 1);
  } else if (word === "clear" && rest === "") mode.images = [];
  else if (word !== "") {
    if (mode.images.length >= MAX_IMAGES) throw new CliError("usage", TOO_MANY_IMAGES);
    const source =
      word === "clipboard" && rest === "" ? clipboard : { from: "file" as const, path: unquotedPath(args), cwd };
    const loaded = await mode.client.call("image/load", { source });
    mode.images = [...mode.images, loaded];
  }
  lines.print(listed(place));
}

const clipboard = { from: "clipboard" } as const;

function listed({ mode: { images } }: LinePlace): string {
  if (images.length === 0)
    return "The message has no image. /image PATH adds one, /image clipboard that of the clipboard.";
  return `Goes with your next message:\n${imageList(images)}`;
}

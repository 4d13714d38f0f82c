/** The image types that every vendor accepts, by file extension. */
const sendableTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};
/** Those that can be read: types that not every vendor accepts are converted before sending. */
const imageTypes: Readonly<Record<string, string>> = { ...sendableTypes, bmp: "image/bmp" };

/** The media type of a file by its name; undefined if it is not a supported image. */
export function imageTypeOf(path: string): string | undefined {
  const ending = /[^/]\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(imageTypes, ending) ? imageTypes[ending] : undefined;
}

export function isSendableImage(mimeType: string): boolean {
  return Object.values(sendableTypes).includes(mimeType);
}

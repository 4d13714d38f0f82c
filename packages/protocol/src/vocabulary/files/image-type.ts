/** The pictures that every vendor takes, by the ending of their files. */
const sendableTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};
/** Those that can be read: what not every vendor takes is sent as another kind. */
const imageTypes: Readonly<Record<string, string>> = { ...sendableTypes, bmp: "image/bmp" };

/** The media type of a file by its name; undefined if it is not a supported picture. */
export function imageTypeOf(path: string): string | undefined {
  const ending = /[^/]\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(imageTypes, ending) ? imageTypes[ending] : undefined;
}

export function isSendableImage(mimeType: string): boolean {
  return Object.values(sendableTypes).includes(mimeType);
}

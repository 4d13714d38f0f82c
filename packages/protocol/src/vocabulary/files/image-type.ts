/** The pictures that every vendor takes, by the ending of their files. */
const imageTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** The media type of a file by its name; undefined where it is no picture that can be sent. */
export function imageTypeOf(path: string): string | undefined {
  const ending = /[^/]\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(imageTypes, ending) ? imageTypes[ending] : undefined;
}

export function isSendableImage(mimeType: string): boolean {
  return Object.values(imageTypes).includes(mimeType);
}

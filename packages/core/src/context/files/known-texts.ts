import type { Projection } from "../conversation/projection.ts";

/** The files whose text the messages contain, by name, with the hash of the latest version. */
export function knownTexts(projection: Projection): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const message of projection.messages)
    for (const { name, sha256 } of projection.textsIn(message)) texts.set(name, sha256);
  return texts;
}

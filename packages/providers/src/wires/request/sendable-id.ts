const MAX_LENGTH = 64;

/** Ids of calls that another vendor made, in the alphabet that strict servers demand: always the same one for the same. */
export function sendableId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  const hash = hashOf(id);
  return `${id.replace(/[^\w-]/g, "_").slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits: two ids that look alike when cleaned stay two. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

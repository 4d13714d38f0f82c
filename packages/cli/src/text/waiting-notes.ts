import type { NoticeListeners } from "@harness/client";

/** Names each local server that harness waits for, once. */
export function waitingNotes(note: (text: string) => void): NonNullable<NoticeListeners["providers/waiting"]> {
  const named = new Set<string>();
  return ({ servers }) => {
    for (const { name, address } of servers) {
      if (named.has(address)) continue;
      named.add(address);
      note(`Waiting for ${name} at ${address}: it accepted the connection and has not answered yet.`);
    }
  };
}

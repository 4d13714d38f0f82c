export type Sdk = typeof import("@modelcontextprotocol/client");

/** 120 ms and 15 MB: loaded when the first server starts, never before. */
export function loadSdk(): Promise<Sdk> {
  return import("@modelcontextprotocol/client");
}

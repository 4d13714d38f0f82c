import type { Egress } from "@harness/core";
import type { Settings } from "@harness/protocol";

/** The dependencies of the web tools. */
export type WebPorts = {
  /** The guard of all outgoing requests. */
  egress: Egress;
  /** `host:port` of private addresses that may be reached according to the rules in force. Read for each call. */
  allowedPrivate(): readonly string[];
  /** True if the text contains a known key. */
  isSecret(text: string): boolean;
  /** The settings of the search engine; read for each call. */
  search(): SearchSettings;
  /** Returns every address of a name; absent: the system's lookup. */
  lookup?(host: string): Promise<{ address: string; family: number }[]>;
};

export type SearchSettings = {
  wanted: Settings["web_search"];
  /** Empty: none. */
  searxngUrl: string;
  braveKey: string | undefined;
  hasOllamaKey: boolean;
  /** Reads the key from its store, such as the keyring. */
  ollamaKey(): Promise<string | undefined>;
};

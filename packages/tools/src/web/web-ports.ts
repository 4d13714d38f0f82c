import type { Egress } from "@harness/core";
import type { Settings } from "@harness/protocol";

/** The dependencies of the web tools. */
export type WebPorts = {
  /** The guard of all outgoing requests. */
  egress: Egress;
  /** `host:port` of what may be reached although it is private, as rules in force name it. Asked for each call. */
  allowedPrivate(): readonly string[];
  /** Does a text contain a known key? */
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
  /** Reads the key from where it is stored, such as the keyring. */
  ollamaKey(): Promise<string | undefined>;
};

import type { Egress } from "@harness/core";
import type { Settings } from "@harness/protocol";

/** The dependencies of the web tools. */
export type WebPorts = {
  /** The one door out. */
  egress: Egress;
  /** `host:port` of what may be reached although it is private, as rules in force name it. Asked for each call. */
  allowedPrivate(): readonly string[];
  /** Does a text hold a key that is known here? */
  isSecret(text: string): boolean;
  /** Who searches the web; asked for each call. */
  search(): SearchSettings;
  /** Every address of a name; absent: as the system says. */
  lookup?(host: string): Promise<{ address: string; family: number }[]>;
};

export type SearchSettings = {
  wanted: Settings["web_search"];
  /** Empty: none. */
  searxngUrl: string;
  braveKey: string | undefined;
  hasOllamaKey: boolean;
  /** Reads it where it is kept, such as in the keyring. */
  ollamaKey(): Promise<string | undefined>;
};

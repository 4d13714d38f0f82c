/** How a person, or a project that is trusted, says that a server is reached: by a command or by an address. */
export type McpServerConfig = {
  readonly name: string;
  /** The file that says it. */
  readonly from: string;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables of the server's process, besides the few that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: the folder of the session; relative: from there. */
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: `stdio` with a command; with an address `http`, and where that is not understood `sse`. */
  readonly transport?: "stdio" | "http" | "sse";
  /** Which revisions of the protocol are tried; absent: `auto`. */
  readonly era?: "auto" | "legacy" | "modern";
  /** Absent: at first use. */
  readonly start?: "session" | "first-use";
  /** Absent: yes. */
  readonly enabled?: boolean;
  /** A file of the project says it, not the person's own. Absent: no. */
  readonly project?: boolean;
  /** It takes the place of a server of the person's, which is reached in another way. Absent: no. */
  readonly replaces?: boolean;
  /** False: the file has no effect before its folder is trusted. Absent: it is. */
  readonly trusted?: boolean;
  /** It may ask for answers of the person's model: the person says so for all servers, and no file of servers does. */
  readonly sampling?: boolean;
  readonly startupTimeoutMs?: number;
  /** How long a call may be silent: progress starts it again, up to a limit over all. */
  readonly callTimeoutMs?: number;
  /** How long a call may take in all. */
  readonly maxCallMs?: number;
  readonly oauth?: McpOAuthConfig;
};

/** For authorization servers that register no clients by themselves. Absent: all of it is found out. */
export type McpOAuthConfig = {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** The https address of a document that describes this client, for servers that read it (SEP-991). */
  readonly clientMetadataUrl?: string;
  /** The port of the redirect address that was registered; absent: any that is free. */
  readonly redirectPort?: number;
};

/** Why a server cannot be reached as it is described, as a sentence. */
export function configProblem({ name, from, command, url, transport }: McpServerConfig): string | undefined {
  const where = `The MCP server ${name} (${from})`;
  if (command === undefined && url === undefined) return `${where} has neither a command nor a URL.`;
  if (command !== undefined && url !== undefined) return `${where} has a command and a URL: remove one of them.`;
  if (command?.trim() === "") return `${where} has an empty command.`;
  if (command !== undefined && transport !== undefined && transport !== "stdio") {
    return `${where} has a command, which goes with the transport stdio, not ${transport}.`;
  }
  if (url === undefined) return undefined;
  if (transport === "stdio") return `${where} has a URL, which does not go with the transport stdio.`;
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isHttp ? undefined : `${where} has a URL that is not valid: it must begin with http:// or https://.`;
}

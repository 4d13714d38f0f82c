/** How to reach a server, by a command or an address, according to the user or a trusted project. */
export type McpServerConfig = {
  readonly name: string;
  /** The file that defines it. */
  readonly from: string;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables of the server's process, in addition to the few that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: the session's folder; relative paths start there. */
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: `stdio` with a command; `http` with an address, or `sse` if the server does not understand that. */
  readonly transport?: "stdio" | "http" | "sse";
  /** The protocol revisions to try; absent: `auto`. */
  readonly era?: "auto" | "legacy" | "modern";
  /** Absent: on first use. */
  readonly start?: "session" | "first-use";
  /** Absent: yes. */
  readonly enabled?: boolean;
  /** True if it is defined in a file of the project, not the user's own. Absent: false. */
  readonly project?: boolean;
  /** True if it replaces one of the user's servers that is reached in a different way. Absent: false. */
  readonly replaces?: boolean;
  /** False: the file has no effect before its folder is trusted. Absent: true. */
  readonly trusted?: boolean;
  /** True if it may ask for answers of the user's model. Only the user can allow that, for all servers. */
  readonly sampling?: boolean;
  readonly startupTimeoutMs?: number;
  /** How long a call may be silent: progress restarts the time, up to the total limit. */
  readonly callTimeoutMs?: number;
  /** How long a call may take in total. */
  readonly maxCallMs?: number;
  readonly oauth?: McpOAuthConfig;
};

/** For authorization servers without automatic client registration. Absent: everything is discovered. */
export type McpOAuthConfig = {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** The https address of a document that describes this client, for servers that support it (SEP-991). */
  readonly clientMetadataUrl?: string;
  /** The port of the registered redirect address; absent: any free one. */
  readonly redirectPort?: number;
};

/** Why a server cannot be reached as described, as a sentence. */
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

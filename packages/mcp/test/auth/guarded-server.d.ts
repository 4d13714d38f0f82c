import { type IncomingMessage } from "node:http";
/** An MCP server of the legacy era that wants a login, and its authorization server, in this process. */
export declare class GuardedServer {
    #private;
    /** Requests by path, as `METHOD /path`. */
    readonly requests: string[];
    /** Headers of the requests to the authorization server. */
    readonly authHeaders: IncomingMessage["headers"][];
    readonly clients: Map<string, {
        redirect_uris: string[];
    }>;
    access: string;
    refresh: string;
    expiresIn: number | undefined;
    refusesRefresh: boolean;
    /** Another one than this server's: it has moved. */
    issuer: string | undefined;
    /** The answer of the authorization server in place of a code. */
    refusal: string | undefined;
    listen(): Promise<this>;
    get origin(): string;
    get url(): string;
    count(request: string): number;
    close(): Promise<void>;
}

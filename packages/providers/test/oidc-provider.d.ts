// The package comes without types; this is what the tests use of it.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    AuthorizationCode: { find(code: string): Promise<{ destroy(): Promise<void> } | undefined> };
  }
}

// The package has no types; these are the parts that the tests use.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    AuthorizationCode: { find(code: string): Promise<{ destroy(): Promise<void> } | undefined> };
  }
}

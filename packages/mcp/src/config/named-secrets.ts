import type { McpServerConfig } from "./server-config.ts";

/** The authentication scheme; the rest of the header is the credential. */
const SCHEME = /^(?:bearer|basic|token)\s+/i;

/** Variables and headers of a server with its variables expanded, by names that show which of them are secret. */
export function namedSecrets({ env = {}, headers = {}, oauth }: McpServerConfig): Record<string, string> {
  const ofHeaders = Object.entries(headers).map(([name, value]) => {
    const isLogin = /^(?:proxy-)?authorization$|^cookie$/i.test(name);
    return [`${name.replaceAll("-", "_")}${isLogin ? "_TOKEN" : ""}`, value.replace(SCHEME, "")];
  });
  const secret = oauth?.clientSecret;
  return { ...env, ...Object.fromEntries(ofHeaders), ...(secret !== undefined && { CLIENT_SECRET: secret }) };
}

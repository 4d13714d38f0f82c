import * as z from "zod";

/** A key that the user entered. */
export const ApiKeyCredential = z.object({
  type: z.literal("apiKey"),
  key: z.string().min(1),
  /** The only host that the key is sent to. Absent in files that people wrote. */
  host: z.string().optional(),
  savedAt: z.string(),
});
export type ApiKeyCredential = z.infer<typeof ApiKeyCredential>;

/** The tokens of a login in a browser. */
export const OAuthCredential = z.object({
  type: z.literal("oauth"),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).optional(),
  /** Absent if the vendor did not say. */
  expiresAt: z.string().optional(),
  /** The vendor's name for the account, if it gives one. */
  account: z.string().optional(),
  /** The client that the tokens were issued to; only it can renew them. */
  clientId: z.string().optional(),
  savedAt: z.string(),
});
export type OAuthCredential = z.infer<typeof OAuthCredential>;

export const Credential = z.discriminatedUnion("type", [ApiKeyCredential, OAuthCredential]);
export type Credential = z.infer<typeof Credential>;

/** The entry for a credential in the system's keyring: enough to list it, not to use it. */
export const KeyringEntry = z.object({
  type: z.enum(["apiKey", "oauth"]),
  in: z.literal("keyring"),
  /** Changes with every save, so that credentials read from the keyring can be cached until then. */
  revision: z.string(),
  masked: z.string(),
  host: z.string().optional(),
  account: z.string().optional(),
  expiresAt: z.string().optional(),
  savedAt: z.string(),
});
export type KeyringEntry = z.infer<typeof KeyringEntry>;

/** Characters that an HTTP header can carry: no spaces, no line ends. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** All secrets of a credential. */
export function secretsOf(credential: Credential): string[] {
  if (credential.type === "apiKey") return [credential.key];
  const { accessToken, refreshToken } = credential;
  return refreshToken === undefined ? [accessToken] : [accessToken, refreshToken];
}

/** True if all its secrets can be sent in a header. */
export function isSendable(credential: Credential): boolean {
  return secretsOf(credential).every((secret) => SENDABLE.test(secret));
}

export function secretOf(credential: Credential): string {
  return credential.type === "apiKey" ? credential.key : credential.accessToken;
}

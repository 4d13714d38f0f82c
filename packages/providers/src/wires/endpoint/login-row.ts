/** A login of a vendor as data: OAuth 2.0 authorization code with PKCE (RFC 6749, RFC 7636) for a public client. */
export type LoginRow = {
  /** Empty if the vendor has not published one: the variable must then name it. */
  authorizeUrl: string;
  tokenUrl: string;
  /** Variables that replace the addresses above. */
  authorizeUrlEnv: string;
  tokenUrlEnv: string;
  /** The variable with the client id: harness ships none, neither its own nor others'. */
  clientIdEnv: string;
  /**
   * Registered with the vendor: the browser returns to this port and path of this machine. `anyPort`: any other port
   * works if this one is taken (RFC 8252, 7.3).
   */
  redirect: { port: number; path: string; anyPort?: true };
  /** The redirect address for logins that end with a code to paste. */
  pasteRedirect?: string;
  /** The variable that replaces it. */
  pasteRedirectEnv?: string;
  scopes: readonly string[];
  /** The variable that replaces them, separated by spaces. */
  scopesEnv?: string;
  extraAuthorizeParams?: Readonly<Record<string, string>>;
  /** Sent with every token request, including renewals. */
  extraTokenParams?: Readonly<Record<string, string>>;
  /**
   * The vendor registers a client as part of the first login. With `entry` as the client id, the redirect brings the
   * issued id, which is used from then on.
   */
  issuedClient?: { entry: string; nameParam: string; hostParam: string };
  /** The format of the code at the end of a login without a local browser. */
  pasteStyle: "url" | "code#state";
  /** The encoding of token requests. */
  tokenStyle: "form" | "json";
  /** Tokens are renewed this long before they expire. */
  renewEarlySeconds: number;
  /** The path to the account's id in the claims of the id token. */
  accountClaim?: readonly string[];
};

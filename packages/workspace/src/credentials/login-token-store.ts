import { LoginError, type TokenStore, type Tokens } from "@harness/providers/login";
import type { Credentials, FoundCredential, LockedCredential } from "@harness/storage";

/** One provider's credentials as a login sees them: its tokens. */
export function loginTokenStore(credentials: Credentials, provider: string): TokenStore {
  return {
    read: async () => tokensOf(await credentials.get(provider)),
    async locked(task) {
      const done = await credentials.withLock(provider, (held) => task(heldTokens(held)));
      if ("problem" in done) throw new LoginError(done.problem);
      return done.value;
    },
  };
}

function heldTokens(held: LockedCredential) {
  return {
    read: async () => tokensOf(await held.get()),
    async write(tokens: Tokens) {
      const { issuedAt: _issuedAt, ...credential } = tokens;
      const saved = await held.set({ type: "oauth", ...credential });
      if ("problem" in saved) throw new LoginError(saved.problem);
    },
  };
}

/** Throws for an unreadable credential, so that it does not look like a missing login. */
function tokensOf({ credential, problems }: FoundCredential): Tokens | undefined {
  if (!credential && problems.length > 0) throw new LoginError(problems.join(" "));
  if (credential?.type !== "oauth") return undefined;
  // Tokens are saved as soon as they are issued.
  const { type: _type, savedAt: issuedAt, clientId = "", ...tokens } = credential;
  return { ...tokens, issuedAt, clientId };
}

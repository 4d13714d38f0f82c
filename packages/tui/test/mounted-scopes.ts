import { screenRow } from "../src/screens/index.ts";
import type { AppState } from "../src/state/app-state.ts";

/**
 * For tests of controllers, which need no React: the key scopes whose components are mounted in a state.
 * `mounted-scopes.test.tsx` holds this to the real tree.
 */
export function mountedIn({ trust, overlay, screen }: AppState): readonly string[] {
  const { hasInput = false } = screenRow(screen);
  const input = hasInput ? ["input"] : [];
  if (trust) return ["trust", ...(hasInput ? ["session", "dialog", "conversation"] : []), ...input];
  if (overlay) return [overlay.kind];
  if (screen === "chat") return ["session", "dialog", "conversation", ...input];
  if (screen === "home") return ["session", "conversation", "home", ...input];
  return [screen];
}

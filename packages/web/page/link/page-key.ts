/** Sent by the gateway to a browser that it lets in. */
export type PageKey = { readonly key: string; readonly version: string; readonly cwd: string };

const STORED = "harness";

/**
 * The key of this tab: from the link that opened it, which works once, or kept since. It is not a cookie, because those
 * go to every program that listens on this machine. Undefined with the reason why there is none.
 */
export async function pageKey(): Promise<PageKey | { readonly problem: string }> {
  const token = location.hash.startsWith("#/") ? "" : location.hash.slice(1);
  if (token !== "") {
    // Out of the history, and out of sight.
    history.replaceState(null, "", location.pathname);
    const response = await fetch("/key", { method: "POST", body: token });
    const answer = await response.json();
    if (!response.ok) return { problem: String(answer.error) };
    sessionStorage.setItem(STORED, JSON.stringify(answer));
    return answer;
  }
  const kept = sessionStorage.getItem(STORED);
  if (kept !== null) return JSON.parse(kept);
  return { problem: "Open the link that harness web shows in its terminal." };
}

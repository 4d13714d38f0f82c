const MAX_SHOWN = 300;

/** In the order in which they are tried. */
const failures: readonly { fits(status: number, says: string): boolean; sentence: string }[] = [
  {
    fits: (status) => status === 401 || status === 403,
    sentence: "does not accept the API key: check the variable QDRANT_API_KEY.",
  },
  { fits: (_, says) => /no space left/i.test(says), sentence: "has no space left: free some." },
  { fits: (status) => status === 413, sentence: "takes only smaller requests: raise its `max_request_size_mb`." },
  { fits: (status) => status === 429, sentence: "has too many requests: try again later." },
  { fits: (status) => status >= 500, sentence: "has a problem: look at its log." },
];

/** Says what is wrong when a server answers with this status, and what to do. */
export function serverFailure(status: number, says: string | undefined): string {
  const words = (says ?? "").replace(/\s+/g, " ").trim();
  const shown = words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN)}…` : words;
  const row = failures.find(({ fits }) => fits(status, words));
  const sentence = row?.sentence ?? `refused a request (${status}).`;
  return shown === "" ? sentence : `${sentence} It says: ${shown}`;
}

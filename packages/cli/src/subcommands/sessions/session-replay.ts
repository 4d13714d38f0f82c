import { amount, type ReplayDifference, ROOT_AGENT } from "@harness/protocol";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness replay ID`: what of a stored session would be another request, or another decision, now. */
export const sessionReplaySubcommand: SubcommandHandler = async ({ client, line, say, note, stopping }) => {
  const asked = { sessionId: line.positionals[0] ?? "" };
  const replay = await client.call("session/replay", asked, { signal: stopping.signal });
  const ending = replay.differing === 0 ? "done" : "failed";
  if (line.has("json")) {
    say(JSON.stringify(replay));
    return ending;
  }
  const { turns, requests, exact, calls, differing, differences, notes } = replay;
  const [first] = differences;
  if (first) say(differenceText(first));
  const counts = [amount(turns, "turn"), amount(requests, "request"), amount(calls, "call")].join(", ");
  const listed = differing > differences.length ? `the first ${differences.length}` : "them";
  if (differing > 1) say(`${amount(differing - 1, "more difference")} after it; --json has ${listed}.`);
  say(
    differing === 0
      ? `Nothing differs: ${counts}; ${exact === requests ? "all requests" : `${exact} of them`} byte for byte.`
      : `${amount(differing, "difference")} in ${counts}.`,
  );
  for (const each of notes) note(`harness: ${each}`);
  return ending;
};

function differenceText({ turn, request, agentId, kind, where, what, recorded, now }: ReplayDifference): string {
  const agent = agentId === ROOT_AGENT ? "" : ` of ${agentId}`;
  const at = `turn ${turn}, ${kind === "request" ? `request ${request}` : `call after request ${request}`}${agent}`;
  const sides = [...sideLines("-", recorded), ...sideLines("+", now)];
  return [`${at}: ${where}`, `  ${what}`, ...sides].join("\n");
}

function sideLines(sign: string, text: string | undefined): string[] {
  return text === undefined ? [] : text.split("\n").map((each) => `  ${sign} ${each}`);
}

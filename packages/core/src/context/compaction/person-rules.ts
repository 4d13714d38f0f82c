/** Words that people state rules with, in the languages they most often write to agents in. */
const RULE =
  /\b(always|never|must|don[’']t|do not|does not|should|shall|only|make sure|ensure|avoid|prefer|instead of|from now on|remember|without|immer|nie|niemals|nicht|nur|stets|muss|müssen|darf|dürfen|bitte|toujours|jamais|siempre|nunca|debes?|no debes)\b/iu;
const MAX_RULE_CHARS = 400;

/** The sentences of the user's message that state a rule, verbatim. */
export function rulesIn(message: string): string[] {
  return message
    .split(/\n+|(?<=[.!?])\s+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/u, "").trim())
    .filter((sentence) => sentence !== "" && sentence.length <= MAX_RULE_CHARS && RULE.test(sentence));
}

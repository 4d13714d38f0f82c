import type { ScenarioInput, TurnInput } from "@harness/testkit";

export const NOTE = {
  title: "Harbour",
  text: "The old lighthouse keeper counts nine white boats before the evening fog rolls over the quiet bay.",
  copies: 3,
};

export const SAMPLE = "Grüße, naïve Ω≈ç – 日本語, Ελληνικά, 👩‍💻 🎉";

/** The doctor's questions, and the answers of a good model, one turn after another. */
const questions = {
  answers: ["Reply with the one word: ready", [{ text: "Ready" }]],
  system: ["Which day comes after Monday", [{ text: "Maple. Tuesday comes after Monday." }]],
  note: ["Save a note with the tool", [{ toolCalls: [{ name: "save_note", arguments: NOTE }] }]],
  schema: ["Which colour has the sky", [{ text: '{"colour": "blue", "degrees": 18}' }]],
  weather: [
    "How warm is it in Oslo and in Lima",
    [
      {
        toolCalls: [
          { name: "get_weather", arguments: { city: "Oslo" } },
          { name: "get_weather", arguments: { city: "Lima" } },
        ],
      },
      { text: "It is 7 degrees in Oslo and 23 in Lima." },
    ],
  ],
  sum: ["What is 2 + 2", [{ text: "4" }]],
  sheep: ["A farmer has 17 sheep", [{ text: "9 are left." }]],
  count: ["Count from 1 to 120", [{ text: "1, 2, 3, 4, 5, 6,", stop: "length" }]],
  unicode: ["Repeat this line exactly", [{ text: SAMPLE }]],
  image: ["Which colour has this picture", [{ text: "Red." }]],
  window: ["Which password did this message begin with", [{ text: "Zebra" }]],
  prefix: ["Reply with the one word: done", [{ text: "done", usage: { cachedTokens: 1_040 } }]],
} satisfies Record<string, readonly [string, readonly TurnInput[]]>;

/** A model for the doctor, good except for the given properties. */
export function patient(
  answers: Partial<Record<keyof typeof questions, readonly TurnInput[]>> = {},
  fields: Partial<ScenarioInput> = {},
): ScenarioInput {
  const lanes = Object.entries(questions).map(([name, [question, usual]]) => ({
    name,
    match: question,
    // Arguments, like everything else, in pieces that arrive one by one.
    turns: (answers[name as keyof typeof questions] ?? usual).map(
      (turn): TurnInput => ({ chunk: { size: 24, delayMs: 2 }, ...turn }),
    ),
  }));
  return { name: "patient", lanes, ...fields };
}

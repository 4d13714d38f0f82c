/**
 * Windows of well-known hosted models, by the beginning of the name without the maker's prefix; the first row that fits
 * counts. For models of one's own server this is not asked: there the server decides.
 */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(gpt-4o|gpt-4-turbo|chatgpt-4o|gpt-oss)/, 128_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4($|-0)/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^o[134]($|-)/, 200_000],
  [/^claude/, 200_000],
  [/^gemini/, 1_000_000],
  [/^deepseek/, 128_000],
  [/^qwen3-coder/, 256_000],
  [/^llama-?[34]/, 128_000],
];

export function knownWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1];
}

import type { TurnInput } from "./scenario.ts";

type TurnExtras = Omit<TurnInput, "text" | "toolCalls" | "generate">;

/** Builders for scenarios written in TypeScript. Each makes one turn; `extras` are the other fields of a turn. */
export const turns = {
  say(text: string, extras: TurnExtras = {}): TurnInput {
    return { ...extras, text };
  },

  call(
    name: string,
    args: Record<string, unknown> | string = {},
    extras: TurnExtras & { text?: string } = {},
  ): TurnInput {
    return { ...extras, toolCalls: [{ name, arguments: args }] };
  },

  /** Several calls in one turn, as `[name, arguments]`. */
  calls(list: readonly (readonly [name: string, args: Record<string, unknown>])[], extras: TurnExtras = {}): TurnInput {
    return { ...extras, toolCalls: list.map(([name, args]) => ({ name, arguments: args })) };
  },

  generate(
    tokens: number,
    options: { rate?: number; text?: string | string[] } = {},
    extras: TurnExtras = {},
  ): TurnInput {
    return { ...extras, generate: { tokens, ...options } };
  },

  /** A turn that consists only of a fault. */
  fail(fault: NonNullable<TurnInput["fault"]>): TurnInput {
    return { fault };
  },
};

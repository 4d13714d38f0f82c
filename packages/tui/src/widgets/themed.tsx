import { Text } from "ink";
import { createContext, type ReactNode, useContext } from "react";
import { darkTheme, inkColour, type Role, type Theme } from "../theme/theme.ts";

export const ThemeContext = createContext<Theme>(darkTheme);

type ThemedProps = {
  readonly tone?: Role | undefined;
  readonly bold?: boolean;
  readonly wrap?: "wrap" | "truncate" | "truncate-middle";
  readonly children: ReactNode;
};

/** Text in a colour of the theme; on one line unless `wrap` says otherwise. */
export function Themed({ tone, bold = false, wrap = "truncate", children }: ThemedProps) {
  const theme = useContext(ThemeContext);
  return (
    <Text {...(tone ? { color: inkColour(theme, tone) } : {})} bold={bold} wrap={wrap}>
      {children}
    </Text>
  );
}

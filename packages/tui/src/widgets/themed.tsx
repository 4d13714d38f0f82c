import { Box, Text } from "ink";
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

type NameProps = { readonly marked: boolean; readonly children: string };

/** The name of a row in a list; the marked row stands out. */
function RowName({ marked, children }: NameProps) {
  return (
    <Themed tone={marked ? "accent" : undefined} bold={marked}>
      {`${marked ? "› " : "  "}${children}`}
    </Themed>
  );
}

/** A row of a list with a text at its end; the name is cut if there is not enough room. */
export function NamedRow({ end, ...name }: NameProps & { readonly end: string }) {
  return (
    <Box justifyContent="space-between">
      <Box flexShrink={1}>
        <RowName {...name} />
      </Box>
      <Box flexShrink={0}>
        <Themed tone="muted">{`  ${end}`}</Themed>
      </Box>
    </Box>
  );
}

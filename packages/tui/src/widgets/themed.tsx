import { Box, Text } from "ink";
import { createContext, createElement, type ReactElement, type ReactNode, useContext } from "react";
import type { Row, Span } from "../text/index.ts";
import { BOLD, type Colour, DIM, INVERSE, ITALIC, STRIKE, UNDERLINE } from "../text/style.ts";
import { darkTheme, inkColour, type Role, type Theme } from "../theme/theme.ts";

export const ThemeContext = createContext<Theme>(darkTheme);

type ThemedProps = {
  readonly tone?: Role | undefined;
  readonly bold?: boolean;
  readonly wrap?: "wrap" | "truncate" | "truncate-middle";
  readonly children: ReactNode;
};

/** Text in a colour of the theme; one line unless `wrap` says otherwise. */
export function Themed({ tone, bold = false, wrap = "truncate", children }: ThemedProps) {
  const theme = useContext(ThemeContext);
  return (
    <Text {...(tone ? { color: inkColour(theme, tone) } : {})} bold={bold} wrap={wrap}>
      {children}
    </Text>
  );
}

type NameProps = { readonly marked: boolean; readonly children: string };

/** The name of a row in a list; that of the marked row stands out. */
function RowName({ marked, children }: NameProps) {
  return (
    <Themed tone={marked ? "accent" : undefined} bold={marked}>
      {`${marked ? "› " : "  "}${children}`}
    </Themed>
  );
}

/** A row of a list with something at its end; the name is cut where there is no room for it. */
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

function colourOf(colour: Colour, theme: Theme): string {
  if (typeof colour === "number") return `ansi256(${colour})`;
  return colour.startsWith("#") ? colour : inkColour(theme, colour as Role);
}

function spanText({ text, style: { fg, bg, attributes } }: Span, theme: Theme): ReactElement {
  return (
    <Text
      {...(fg === undefined ? {} : { color: colourOf(fg, theme) })}
      {...(bg === undefined ? {} : { backgroundColor: colourOf(bg, theme) })}
      bold={(attributes & BOLD) !== 0}
      dimColor={(attributes & DIM) !== 0}
      italic={(attributes & ITALIC) !== 0}
      underline={(attributes & UNDERLINE) !== 0}
      inverse={(attributes & INVERSE) !== 0}
      strikethrough={(attributes & STRIKE) !== 0}
    >
      {text}
    </Text>
  );
}

/** A row of spans in an Ink tree. */
function RowText({ row: { spans } }: { readonly row: Row }) {
  const theme = useContext(ThemeContext);
  // Children are passed by position: spans have no identity of their own, so they have no keys.
  return createElement(
    Text,
    { wrap: "truncate" },
    ...(spans.length === 0 ? [" "] : spans.map((each) => spanText(each, theme))),
  );
}

/** Rows of spans, one below the other. */
export function RowList({ rows }: { readonly rows: readonly Row[] }) {
  return createElement(Box, { flexDirection: "column" }, ...rows.map((each) => createElement(RowText, { row: each })));
}

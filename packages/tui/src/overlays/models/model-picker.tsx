import { priceText } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import { Box } from "ink";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { ModelPicker as Picker } from "../../state/overlay.ts";
import { sanitiseLine } from "../../text/index.ts";
import { Advice } from "../../widgets/advice.tsx";
import { shortCount } from "../../widgets/hud-row.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { OverlayBody, OverlayFrame } from "../../widgets/overlay-frame.tsx";
import { Themed } from "../../widgets/themed.tsx";
import { modelLabel, shownModels } from "./shown-models.ts";

type Props = { readonly view: ChromeView; readonly picker: Picker };

/** Context window, price, abilities, and whether a server has it in memory. */
function factsOf({ windowTokens, price, abilities, loaded, capabilities }: ModelView): string[] {
  const can = (["tools", "images", "thinking"] as const).filter((each) => abilities?.[each]);
  return [
    ...(windowTokens ? [`${shortCount(windowTokens)} tokens`] : []),
    price ? priceText(price) : "price unknown",
    ...(can.length > 0 ? [can.join(", ")] : []),
    ...(loaded ? ["loaded"] : []),
    ...(capabilities ? ["tried out"] : []),
  ];
}

/** The models of every provider that is ready. */
export function ModelPicker({ view, picker }: Props) {
  const { size, hud } = view;
  const shown = shownModels(picker);
  const { from, to } = listWindow(picker.selected, shown.length, size.rows - 7 - picker.problems.length);
  const isEmpty = picker.models?.length === 0;
  const empty = isEmpty ? "No provider has a model." : picker.models ? "No model matches." : "Asking the providers…";
  return (
    <OverlayFrame view={view} keys="↑↓ move · type to filter · Enter use · Esc back">
      <OverlayBody>
        <Themed bold>{`Model${picker.filter === "" ? "" : `  filter: ${picker.filter}`}`}</Themed>
        <Box height={1} />
        {shown.length === 0 ? <Themed tone="muted">{empty}</Themed> : null}
        {isEmpty ? <Advice lines={view.providers?.advice ?? []} /> : null}
        {shown.slice(from, to).map((each, at) => {
          const marked = from + at === picker.selected;
          const facts = [
            ...factsOf(each),
            ...(each.model === hud?.model && each.provider === hud?.provider ? ["in use"] : []),
          ];
          return (
            <Box key={modelLabel(each)}>
              <Themed tone={marked ? "accent" : undefined} bold={marked}>
                {`${marked ? "› " : "  "}${sanitiseLine(modelLabel(each))}`}
              </Themed>
              <Themed tone="muted">{`  ${facts.join(" · ")}`}</Themed>
            </Box>
          );
        })}
        {picker.problems.map((problem) => (
          <Themed key={problem} tone="warning" wrap="wrap">
            {sanitiseLine(problem)}
          </Themed>
        ))}
      </OverlayBody>
    </OverlayFrame>
  );
}

import { Box, type DOMElement, measureElement } from "ink";
import { useLayoutEffect, useMemo, useRef } from "react";
import type { Extent, Painting } from "../render/canvas.ts";
import { chromeOf } from "../render/chrome.ts";
import type { Row } from "../text/index.ts";
import type { FrameContent } from "./frame-content.ts";
import { useWindowParts } from "./use-window.ts";

/** Leaves whose position is needed elsewhere: the scroll area, where a click means something, the user's question. */
export type LeafName = "transcript" | "input" | "dialog" | "list";

type LeafProps = {
  readonly name?: LeafName;
  /** In rows; a leaf without a height takes the remaining rows. */
  readonly height?: number;
  /** In cells; by default all of them. */
  readonly width?: number;
  /** Called for each frame, so it has to be cheap or cache its result. */
  readonly paint: (moment: FrameContent, extent: Extent) => Painting;
};

/**
 * Rows that are painted by each frame: Ink only gives them their place, and neither Ink nor React sees their content.
 * The component is redrawn only if its height changes.
 */
export function PaintedRows({ name, height, width, paint }: LeafProps) {
  const { canvas, moments } = useWindowParts();
  const box = useRef<DOMElement>(null);
  const latest = useRef(paint);
  latest.current = paint;
  useLayoutEffect(
    () =>
      canvas.add({
        name,
        measure() {
          if (!box.current) return undefined;
          const { x, y, width: columns, height: rows } = measureElement(box.current);
          return { x, y, columns, rows };
        },
        paint: (extent) => latest.current(moments.now, extent),
      }),
    [canvas, moments, name],
  );
  return height === undefined ? (
    <Box ref={box} flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0} />
  ) : (
    <Box ref={box} height={height} flexShrink={0} {...(width === undefined ? {} : { width })} />
  );
}

/** Rows that are cells already: Ink only gives them their place. They do not shrink in favour of their neighbours. */
export function Rows({ rows, name }: { readonly rows: readonly Row[]; readonly name?: LeafName }) {
  const painting = useMemo(() => chromeOf(rows), [rows]);
  return <PaintedRows {...(name ? { name } : {})} height={rows.length} paint={() => painting} />;
}

/** Caches rows until the height changes. */
export function keptForHeight(make: (height: number) => readonly Row[]): (height: number) => readonly Row[] {
  let kept: { height: number; rows: readonly Row[] } | undefined;
  return (height) => {
    if (kept?.height !== height) kept = { height, rows: make(height) };
    return kept.rows;
  };
}

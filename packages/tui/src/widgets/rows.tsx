import { Box, type DOMElement, measureElement } from "ink";
import { useLayoutEffect, useMemo, useRef } from "react";
import type { Extent, Painting } from "../render/canvas.ts";
import { chromeOf } from "../render/chrome.ts";
import type { Row } from "../text/index.ts";
import type { FrameContent } from "./frame-content.ts";
import { useWindowParts } from "./use-window.ts";

/** The leaves that others ask about: what scrolls, where a click sets the cursor, what the person is asked. */
export type LeafName = "transcript" | "input" | "dialog";

type LeafProps = {
  readonly name?: LeafName;
  /** Rows; a leaf without a height takes what the others leave. */
  readonly height?: number;
  /** Cells; all that there are without it. */
  readonly width?: number;
  /** Called for each frame; it has to be cheap, or keep what it has made. */
  readonly paint: (moment: FrameContent, extent: Extent) => Painting;
};

/**
 * Rows that are painted by each frame: Ink gives them their place, and neither it nor React sees what is in them. The
 * component is drawn again only where its height changes.
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

/** Rows that are cells already: Ink only gives them their place. They are never cut by what is beside them. */
export function Rows({ rows, name }: { readonly rows: readonly Row[]; readonly name?: LeafName }) {
  const painting = useMemo(() => chromeOf(rows), [rows]);
  return <PaintedRows {...(name ? { name } : {})} height={rows.length} paint={() => painting} />;
}

/** Rows that are made again only for another height. */
export function keptForHeight(make: (height: number) => readonly Row[]): (height: number) => readonly Row[] {
  let kept: { height: number; rows: readonly Row[] } | undefined;
  return (height) => {
    if (kept?.height !== height) kept = { height, rows: make(height) };
    return kept.rows;
  };
}

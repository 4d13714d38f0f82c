import { Box, type DOMElement } from "ink";
import { useLayoutEffect, useRef } from "react";
import type { TreePath } from "../keymap/mounted-scopes.ts";
import { useWindowParts } from "./use-window.ts";

/** Gives this scope the keys while it is mounted, in tree order: components further up come first. Takes no cells. */
export function ActiveScope({ name }: { readonly name: string }) {
  const { scopes } = useWindowParts();
  const box = useRef<DOMElement>(null);
  useLayoutEffect(() => scopes.mount(name, () => pathOf(box.current)), [scopes, name]);
  return <Box ref={box} position="absolute" />;
}

function pathOf(element: DOMElement | null): TreePath {
  const path: number[] = [];
  for (let at = element; at?.parentNode; at = at.parentNode) path.unshift(at.parentNode.childNodes.indexOf(at));
  return path;
}

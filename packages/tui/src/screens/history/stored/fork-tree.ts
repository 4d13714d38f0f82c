import type { SessionSummary } from "@harness/protocol";

/** A session in the tree of forks. */
export type ForkRow = {
  readonly session: SessionSummary;
  /** The lines to its parent, such as `│ └ `; "": it stands alone or begins a tree. */
  readonly branch: string;
  /** How many sessions stand below it, folded away or not. */
  readonly forks: number;
  readonly isFolded: boolean;
};

/** Deeper forks are not indented further: a chain of handovers would leave the screen. */
const MAX_DEPTH = 6;

type Node = { session: SessionSummary; parent: Node | undefined; children: Node[]; below: number };
type PlannedNode = { node: Node; lines: readonly string[]; depth: number; isLast: boolean };

/**
 * Forks below the sessions that they began from. The list is newest first, and a tree stands where its newest session
 * would; a session whose parent is not in the list stands alone.
 */
export function forkRows(sessions: readonly SessionSummary[], folded: ReadonlySet<string>): ForkRow[] {
  const nodes = nodesOf(sessions);
  const rows: ForkRow[] = [];
  const seen = new Set<Node>();
  for (const node of nodes.values()) {
    const root = rootOf(node);
    if (seen.has(root)) continue;
    seen.add(root);
    addTree(root, folded, rows);
  }
  return rows;
}

function nodesOf(sessions: readonly SessionSummary[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  for (const session of sessions) nodes.set(session.sessionId, { session, parent: undefined, children: [], below: 0 });
  for (const node of nodes.values()) {
    const parent = node.session.parent && nodes.get(node.session.parent.sessionId);
    // Headers are data: a session may claim to descend from itself.
    if (!parent || isAbove(node, parent)) continue;
    node.parent = parent;
    parent.children.push(node);
  }
  return nodes;
}

/** Counts what stands below each session of a tree. */
function countBelow(root: Node): void {
  const all = [root];
  for (const node of all) all.push(...node.children);
  for (const { parent, below } of all.toReversed()) if (parent) parent.below += below + 1;
}

function isAbove(node: Node, below: Node): boolean {
  for (let at: Node | undefined = below; at; at = at.parent) if (at === node) return true;
  return false;
}

function rootOf(node: Node): Node {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

function addTree(root: Node, folded: ReadonlySet<string>, rows: ForkRow[]): void {
  countBelow(root);
  const waiting: PlannedNode[] = [{ node: root, lines: [], depth: 0, isLast: true }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, lines, depth, isLast } = next;
    const isFolded = node.children.length > 0 && folded.has(node.session.sessionId);
    const branch = depth === 0 ? "" : `${lines.join("")}${isLast ? "└ " : "├ "}`;
    rows.push({ session: node.session, branch, forks: node.below, isFolded });
    if (isFolded) continue;
    const inner = depth === 0 || depth >= MAX_DEPTH ? lines : [...lines, isLast ? "  " : "│ "];
    for (const [at, child] of node.children.toReversed().entries())
      waiting.push({ node: child, lines: inner, depth: depth + 1, isLast: at === 0 });
  }
}

export type ProcessStat = {
  name: string;
  state: string;
  parentId: number;
  groupId: number;
  sessionId: number;
  start: string;
};

/** `pid (name) state parent group session … start`, proc_pid_stat(5); the name may hold blanks and parentheses. Pure. */
export function parseStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (nameEnd === -1 || !state || !group || !session || !start) return undefined;
  const name = text.slice(text.indexOf("(") + 1, nameEnd);
  return { name, state, parentId: Number(parent), groupId: Number(group), sessionId: Number(session), start };
}

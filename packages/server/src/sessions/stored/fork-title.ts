const FORK = / \(fork(?: (\d+))?\)$/;
const MAX_TITLE = 200;

/** The title of the next fork of a session, given the number of its forks: `Parser (fork)`, `Parser (fork 2)`. */
export function forkTitle(title: string | undefined, forks: number): string {
  const [mark, digits] = FORK.exec(title ?? "") ?? [];
  const own = mark === undefined ? 0 : Number(digits ?? 1);
  const name = (title ?? "Session").slice(0, mark === undefined ? undefined : -mark.length).slice(0, MAX_TITLE - 20);
  const number = own + forks + 1;
  return `${name.toWellFormed()} (fork${number === 1 ? "" : ` ${number}`})`;
}

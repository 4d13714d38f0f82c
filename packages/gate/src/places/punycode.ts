/** The host as spelled on the network, with each non-ASCII label as `xn--…`; undefined: it is plain, or not a host. */
export function punycodeHost(host: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\u0000-\u007f]*$/.test(host) || /[/\\?#@:[\]\s]/.test(host)) return undefined;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** The host as it is spelt in the net, with each label that is not ASCII as `xn--…`; undefined: it is plain, or no host. */
export function punycodeHost(host: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\u0000-\u007f]*$/.test(host) || /[/\\?#@:[\]\s]/.test(host)) return undefined;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

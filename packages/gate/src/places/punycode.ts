// Bootstring as RFC 3492 defines it, encoding only: how a host with other letters is spelt in the net.

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;

/** The host with each label that is not ASCII as `xn--…`; undefined when nothing changes or it cannot be. */
export function punycodeHost(host: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\u0000-\u007f]*$/.test(host)) return undefined;
  const labels = host
    .normalize("NFKC")
    .toLowerCase()
    .split(/[.\u3002\uff0e\uff61]/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  return labels.map((label) => (/^[\u0000-\u007f]*$/.test(label) ? label : `xn--${encoded(label)}`)).join(".");
}

function encoded(label: string): string {
  const codes = [...label].map((sign) => sign.codePointAt(0) ?? 0);
  const basic = codes.filter((code) => code < 0x80);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? "-" : "");
  let code = 0x80;
  let delta = 0;
  let bias = 72;
  let handled = basic.length;
  while (handled < codes.length) {
    const next = Math.min(...codes.filter((each) => each >= code));
    delta += (next - code) * (handled + 1);
    code = next;
    for (const each of codes) {
      if (each < code) delta += 1;
      if (each !== code) continue;
      output += numberWords(delta, bias);
      bias = adapted(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    code += 1;
  }
  return output;
}

function numberWords(delta: number, bias: number): string {
  let output = "";
  let rest = delta;
  for (let at = BASE; ; at += BASE) {
    const threshold = Math.min(Math.max(at - bias, T_MIN), T_MAX);
    if (rest < threshold) return output + digit(rest);
    output += digit(threshold + ((rest - threshold) % (BASE - threshold)));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 97 : value + 22);
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + 38));
}

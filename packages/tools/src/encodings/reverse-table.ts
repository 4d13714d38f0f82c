/** Maps a character to its bytes. */
export type ReverseTable = ReadonlyMap<string, Uint8Array>;

/** Memo of a pure function: one table for each of about forty encodings. */
const tables = new Map<string, ReverseTable>();

/**
 * The bytes of each character in an encoding, derived from the decoder and built on first use. Four-byte characters of
 * GB18030 are not included.
 */
export function reverseTable(name: string, { isTwoByte }: { isTwoByte: boolean }): ReverseTable {
  const known = tables.get(name);
  if (known) return known;
  const table = isTwoByte ? twoByteTable(name) : singleByteTable(name);
  tables.set(name, table);
  return table;
}

/** Not fatal: exceptions for thousands of gaps would take a second. Every gap decodes to U+FFFD. */
function decoderOf(name: string): (...bytes: number[]) => string {
  const decoder = new TextDecoder(name, { ignoreBOM: true });
  return (...bytes) => decoder.decode(Uint8Array.from(bytes));
}

function singleByteTable(name: string): Map<string, Uint8Array> {
  const decode = decoderOf(name);
  const table = new Map<string, Uint8Array>();
  for (let byte = 0; byte < 256; byte++) addFirst(table, decode(byte), [byte]);
  return table;
}

function twoByteTable(name: string): Map<string, Uint8Array> {
  const decode = decoderOf(name);
  const table = singleByteTable(name);
  const singles = new Set([...table.values()].map(([byte]) => byte));
  for (const lead of leadBytes(name)) {
    if (singles.has(lead)) continue;
    for (let trail = 0x30; trail < 0xff; trail++) addFirst(table, decode(lead, trail), [lead, trail]);
  }
  if (name === "euc-jp") addThreeBytes(table, decode);
  if (name === "big5") for (const [character, pair] of LATER_IN_BIG5) table.set(character, Uint8Array.from(pair));
  return table;
}

/**
 * If two pairs stand for one character, the Encoding Standard writes the first, but skips ranges added by vendors:
 * NEC's copy of IBM's characters in Shift_JIS, and the Hong Kong characters of Big5. These come last here.
 */
function leadBytes(name: string): number[] {
  const leads = Array.from({ length: 0x7f }, (_, at) => 0x80 + at);
  const isVendors = (lead: number) =>
    (name === "shift_jis" && (lead === 0xed || lead === 0xee)) || (name === "big5" && lead < 0xa1);
  return [...leads.filter((lead) => !isVendors(lead)), ...leads.filter(isVendors)];
}

/** The characters of Big5 that the Encoding Standard writes with their last pair. */
const LATER_IN_BIG5: readonly (readonly [string, readonly [number, number]])[] = [
  ["\u2550", [0xf9, 0xf9]],
  ["\u255E", [0xf9, 0xe9]],
  ["\u2561", [0xf9, 0xeb]],
  ["\u256A", [0xf9, 0xea]],
  ["\u5341", [0xa4, 0x51]],
  ["\u5345", [0xa4, 0xca]],
];

/** JIS X 0212. */
function addThreeBytes(table: Map<string, Uint8Array>, decode: (...bytes: number[]) => string): void {
  for (let second = 0xa1; second < 0xff; second++) {
    for (let third = 0xa1; third < 0xff; third++) addFirst(table, decode(0x8f, second, third), [0x8f, second, third]);
  }
}

function addFirst(table: Map<string, Uint8Array>, decoded: string, bytes: readonly number[]): void {
  const [character, ...more] = decoded;
  if (character === undefined || more.length > 0 || character === "\uFFFD" || table.has(character)) return;
  table.set(character, Uint8Array.from(bytes));
}

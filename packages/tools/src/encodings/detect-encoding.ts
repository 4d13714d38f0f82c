import { type TwoByteEncoding, textCodec } from "./text-codec.ts";

/** Characters that are frequent in a language, but not in other bytes that happen to decode. */
type Language = { encoding: TwoByteEncoding; typical: RegExp; share: number };

const KANA = /[\u3041-\u3093\u30A1-\u30F6\u30FC]/gu;
const HANGUL = /[이다는의에을를가은하고지도로한기서사나자라시그대인어해수있리아니과정것게일보스장들전으면]/gu;
const SIMPLIFIED =
  /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文开手用主行方又如前所本见经头面公同三已老从动两长件据数字请设置名]/gu;
const TRADITIONAL =
  /[的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文開手用主行方又如前所本見經頭面公同三已老從動兩長件據數字請設置名]/gu;

const languages: readonly Language[] = [
  { encoding: "shift_jis", typical: KANA, share: 0.25 },
  { encoding: "euc-jp", typical: KANA, share: 0.25 },
  { encoding: "euc-kr", typical: HANGUL, share: 0.25 },
  { encoding: "gb18030", typical: SIMPLIFIED, share: 0.2 },
  { encoding: "big5", typical: TRADITIONAL, share: 0.2 },
];

/** Fewer typical characters prove nothing. */
const ENOUGH = 10;

/**
 * The encoding of bytes that are not UTF-8: an East Asian one, if all bytes decode and the text has enough characters
 * that are typical of its language. Undefined otherwise: single-byte encodings accept nearly any bytes, so guessing one
 * of them is not safe.
 */
export function detectedEncoding(bytes: Uint8Array): TwoByteEncoding | undefined {
  const found = languages.filter((language) => isWrittenIn(bytes, language));
  return found.length === 1 ? found[0]?.encoding : undefined;
}

function isWrittenIn(bytes: Uint8Array, { encoding, typical, share }: Language): boolean {
  const text = textCodec(encoding)?.decode(bytes);
  if (text === undefined) return false;
  const foreign = text.match(/[^\0-\x7f\s\p{P}]/gu)?.length ?? 0;
  const found = text.match(typical)?.length ?? 0;
  // No language uses these characters: the bytes were written in a different encoding.
  if (/[\p{Co}\p{Cn}\x80-\x9f]/u.test(text)) return false;
  return found >= ENOUGH && found / foreign >= share;
}

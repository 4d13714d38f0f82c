import { describe, expect, it } from "vitest";
import { detectedEncoding } from "./detect-encoding.ts";
import { textCodec } from "./text-codec.ts";

const JAPANESE = "このプログラムはファイルを読み込み、設定された形式で結果を出力します。エラーの場合は終了します。\n";
const CHINESE =
  "这个程序从文件中读取数据，然后把结果写到另一个文件里。如果发生错误，他们就会看到这里的说明，不要忘了。\n";
const TAIWANESE =
  "這個程式從檔案中讀取資料，然後把結果寫到另一個檔案裡。如果發生錯誤，他們就會看到這裡的說明，不要忘了。\n";
const KOREAN =
  "이 프로그램은 파일에서 자료를 읽고 그 결과를 다른 파일에 저장하는 기능을 가지고 있다. 오류가 나면 설명을 보여 준다.\n";
const RUSSIAN =
  "Эта программа читает данные из файла и записывает результат в другой файл. Если произошла ошибка, она сообщает о ней.\n";

function bytesOf(name: string, text: string): Buffer {
  const bytes = textCodec(name)?.encode(text);
  if (!bytes || "character" in bytes) throw new Error(`${name} does not have ${JSON.stringify(bytes)}`);
  return bytes;
}

describe("the encoding of a text that is not UTF-8", () => {
  it.each([
    ["shift_jis", JAPANESE, "shift_jis"],
    ["euc-jp", JAPANESE, "euc-jp"],
    ["gbk", CHINESE, "gb18030"],
    ["big5", TAIWANESE, "big5"],
    ["euc-kr", KOREAN, "euc-kr"],
    ["shift_jis", `// ${JAPANESE}int main(void) { return 0; }\r\n`, "shift_jis"],
  ])("is recognised by what the language is full of: %s", (name, text, expected) => {
    expect(detectedEncoding(bytesOf(name, text))).toBe(expected);
  });

  it.each([
    ["windows-1251", RUSSIAN],
    ["koi8-r", RUSSIAN],
    ["iso-8859-5", RUSSIAN],
    ["ibm866", RUSSIAN],
    ["windows-1251", RUSSIAN.toUpperCase()],
    ["koi8-r", RUSSIAN.toUpperCase()],
    ["ibm866", RUSSIAN.toUpperCase()],
    ["windows-1252", "Où êtes-vous allé ? Là-bas, près du café. L'élève a répété la même leçon déjà apprise."],
    ["windows-1252", "Größe, Länge und Höhe müssen übereinstimmen; ÄÖÜ ÄÖÜ ÄÖÜß"],
    ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń."],
    ["windows-1253", "Αυτό το πρόγραμμα διαβάζει δεδομένα από το αρχείο και γράφει το αποτέλεσμα σε άλλο αρχείο."],
    ["windows-1254", "Bu işlem için gereken değerler dosyadan okunur; çıktı ayrı bir dosyaya yazılır. ĞÜŞİÖÇ"],
    ["windows-1255", "התוכנית קוראת נתונים מהקובץ וכותבת את התוצאה לקובץ אחר"],
    ["windows-1256", "يقرأ هذا البرنامج البيانات من الملف ويكتب النتيجة في ملف اخر"],
    ["windows-874", "โปรแกรมนี้อ่านข้อมูลจากไฟล์และเขียนผลลัพธ์ไปยังไฟล์อื่น"],
    ["windows-1258", "Chuong trính này doc dê liêu tê têp"],
    ["shift_jis", "日本語"],
    ["gbk", "中文"],
    ["euc-kr", "한글"],
  ])("is not guessed where the bytes prove nothing: %s", (name, text) => {
    expect(detectedEncoding(bytesOf(name, text))).toBeUndefined();
  });

  it("is not guessed from bytes that are not text", () => {
    const noise = Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7919 + (at >> 3) * 104_729) & 0xff));
    expect(detectedEncoding(noise)).toBeUndefined();
    expect(detectedEncoding(Buffer.alloc(400, 0xa4))).toBeUndefined();
    expect(detectedEncoding(Buffer.concat([bytesOf("shift_jis", JAPANESE), Buffer.of(0xff)]))).toBeUndefined();
  });
});

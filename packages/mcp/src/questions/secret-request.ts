/** Words that a form must not ask for, because the session's log keeps what people type. */
const SECRET =
  /pass[-_ ]?(?:word|phrase|code)|secret|credential|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|\b(?:auth|access|bearer|refresh)?[-_ ]?token\b|\bpin\b|\bcvv\b/i;
/** The same words in other languages, without diacritics. */
const SECRET_ELSEWHERE =
  /passwort|kennwort|geheimnis|mot de passe|contrasena|palavra-passe|\bsenha\b|\bwachtwoord\b|\bhaslo\b|\blosenord\b|\bsifre\b|парол|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة المرور|סיסמה|पासवर्ड/i;

/** The same in a sentence; a sentence may say that this is not the place for a password. */
const SECRET_WANTED =
  /\b(?:your|the|enter|type|paste)\s+(?:[\w-]+\s+){0,2}(?:password|passphrase|secret|token|(?:api|access|private)[- ]key)\b/i;

/** Letters of other scripts that look like letters of the words above. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аaеeоoрpсcхxуyіiѕsкkтtԁdѡwαaοoρpιiκkνv"]
    .join("")
    .match(/../gu)
    ?.map((pair) => [pair[0] ?? "", pair[1] ?? ""]) ?? [],
);

/** True if the name or title of a field asks for a secret. */
export function namesSecret(text: string): boolean {
  return readings(text).some((each) => SECRET.test(each) || SECRET_ELSEWHERE.test(each));
}

/** True if a sentence asks for a secret. */
export function wantsSecret(text: string): boolean {
  return readings(text).some((each) => SECRET_WANTED.test(each));
}

/** As the user sees it: wide letters as normal ones, without invisible characters, and with look-alikes replaced. */
function readings(text: string): string[] {
  const seen = text
    .slice(0, 20_000)
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}\p{Me}\p{Co}\p{Cn}\u115f\u1160\u3164\u2800]/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ");
  const bare = seen.normalize("NFD").replace(/\p{Mn}/gu, "");
  const plain = bare.toLowerCase().replace(/\P{ASCII}/gu, (char) => LOOK_ALIKES[char] ?? char);
  return [...new Set([seen, bare, plain])];
}

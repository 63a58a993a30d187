/**
 * Replaces digits of every script by `0` to `9`. Separators between digits become one character: a space, `-`, `.`, `+`
 * or `/`. The time grows linearly with the length.
 */
const plainDigits = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches everything outside of ASCII
    .replace(/[^\x00-\x7f]/gu, plainCharacter)
    .replace(/\+\(?(\d{1,3})\)?[-. ]*\(0\)/g, '+$1 ')
    .replace(/[\s._/\\|()+-]+/g, plainSeparator);

/**
 * The possible ways to read the numbers of a text: percent-decoded, unchanged, and with superscripts as plain digits.
 */
export function readingsOf(text: string): string[] {
  const plain = decoded(text);
  return [...new Set([plain, plain.normalize('NFKC')])].map(plainDigits);
}

/**
 * Replaces a decimal digit of any script by `0` to `9`. White space, dashes, middle dots and invisible characters
 * become a plain separator.
 */
function plainCharacter(character: string): string {
  if (/\p{Nd}/u.test(character)) return String(digitValue(character));
  if (/[\p{Pd}\u2212\u2043]/u.test(character)) return '-';
  if (/[\s\p{Z}\p{Cf}\u2800\u3164]/u.test(character)) return ' ';
  if (/[․。｡．]/u.test(character)) return '.';
  return /[·•‧∙⋅・･●∘˙⸱⁄∕⧸]/u.test(character) ? '/' : character;
}

/** The value of a digit. Unicode lists the decimal digits of a script in order, starting with zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

/**
 * One character for a run of separators. A plus sign starts another number, and a single dot may be a decimal point, so
 * both are kept.
 */
function plainSeparator(run: string): string {
  if (run === '.' || run === '-' || run === '+') return run;
  if (run.endsWith('+')) return ';+';
  if (/\s/.test(run)) return ' ';
  return /^[()]+$/.test(run) ? ' ' : '/';
}

const layers = 3;

/** Decodes `%34` and `%2534` to `4`. Nested percent signs are removed at once. */
function decoded(text: string): string {
  let plain = text;
  for (let layer = 0; layer < layers && plain.includes('%'); layer += 1) {
    const unnested = plain.replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%');
    plain = unnested.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      new TextDecoder().decode(Uint8Array.from(bytes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
    );
  }
  return plain;
}

import type { MailAddress } from '../../domain/mail.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters could begin another header
const controls = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g;

/** Makes one line of text, without characters that could begin another header. */
export const headerText = (text: string): string => text.toWellFormed().replace(controls, ' ').trim();

/** Requires exactly one address: no list, no comment, no second header. */
export const isPlainAddress = (address: string): boolean =>
  /^[^\s<>()[\],;:"\\@]{1,64}@[^\s<>()[\],;:"\\@]{1,255}$/.test(address) && address === headerText(address);

/** `"Example Books" <receipts@example.com>`. Any name is encoded in ASCII. */
export function formatAddress({ name, address }: MailAddress): string {
  if (!isPlainAddress(address)) throw new Error('The sender of mails must be a plain e-mail address.');
  return `${encodeWords(headerText(name))} <${address}>`;
}

/** A name in ASCII. A simple name is quoted; any other is encoded as words of RFC 2047. */
const encodeWords = (text: string): string =>
  /^[\w .,&'()+-]*$/.test(text) ? `"${text}"` : encodedWords(text).join(' ');

/** The most bytes of one encoded word. It then has at most 75 characters. A character is never split. */
const mostBytes = 42;

export function encodedWords(text: string): string[] {
  const words: string[] = [''];
  for (const character of text) {
    const word = words.at(-1) ?? '';
    if (Buffer.byteLength(word + character) <= mostBytes) words[words.length - 1] = word + character;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`);
}

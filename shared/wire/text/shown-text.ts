import { containsCardNumber } from './card-number.ts';

const mostShown = 1_000;

/** A caller's text for use in a response: shortened, and without digits if it contains a card number. */
export function shownText(text: string): string {
  const short = text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text;
  return containsCardNumber(short) ? short.replace(/\p{N}/gu, '*') : short;
}

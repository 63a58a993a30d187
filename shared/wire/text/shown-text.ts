import { containsCardNumber } from './card-number.ts';

const mostShown = 1_000;

/** Somebody's words as an answer may repeat them: cut where they are long, and without their digits where they hold a card's number. */
export function shownText(text: string): string {
  const short = text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text;
  return containsCardNumber(short) ? short.replace(/\p{N}/gu, '*') : short;
}

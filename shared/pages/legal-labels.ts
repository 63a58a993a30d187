import { hasRightOfWithdrawal } from '../domain/withdrawal/consumer-area.ts';
import { confirmationWords, functionWords, paymentWords } from '../texts/legal-words.ts';
import { languageAttributes } from './direction.ts';
import { type Html, html } from './html.ts';
import type { Locale } from './locale.ts';

/** A text with its language. */
interface Words {
  words: string;
  language: Locale;
}

/** A label in the words that the law requires. */
export interface LegalLabel extends Words {
  /**
   * The same label in a second language, for which the law itself has words. Absent if the law has words in the page's
   * language.
   */
  beside?: Words;
}

/**
 * The main language of the countries in the area, if the law has words in it. For every other country, it is English.
 */
const languageOf: Readonly<Record<string, Locale>> = Object.fromEntries(
  (
    [
      ['de', 'AT DE LI'],
      ['fr', 'FR GF GP LU MF MQ RE YT'],
      ['nl', 'BE NL'],
      ['sv', 'AX SE'],
      ['es', 'ES'],
      ['it', 'IT'],
      ['pl', 'PL'],
      ['pt', 'PT'],
    ] as const
  ).flatMap(([language, countries]) => countries.split(' ').map((country) => [country, language])),
);

function labelOf(table: typeof functionWords, language: Locale, country: string): LegalLabel {
  const label = { words: table[language].words, language };
  if (table[language].review !== 'translated') return label;
  const other = languageOf[country] ?? 'en';
  return { ...label, beside: { words: table[other].words, language: other } };
}

/** The label of the link to the withdrawal function. The country is empty if it is not known. */
export const functionLabel = (language: Locale, country: string): LegalLabel =>
  labelOf(functionWords, language, country);

/**
 * The label of the button that confirms a withdrawal. The law allows only these words, so nothing stands beside them.
 */
export const confirmLabel = (language: Locale): string => confirmationWords[language].words;

/**
 * The label of the Pay button. Undefined in a country whose law requires no certain words (Directive 2011/83/EU, art.
 * 8(2); SI 2013/3134, reg. 14(4)).
 */
export const payLabel = (language: Locale, country: string): LegalLabel | undefined =>
  hasRightOfWithdrawal(country) ? labelOf(paymentWords, language, country) : undefined;

/** A label as a page shows it. The words in a second language stand beside it, and are marked with their language. */
export const labelText = ({ words, beside }: LegalLabel): Html =>
  html`${words}${beside && html` <bdi${languageAttributes(beside.language)}>${beside.words}</bdi>`}`;

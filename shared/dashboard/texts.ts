import { formatCount } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardLanguages, dashboardTexts, type TextKey } from '../texts/texts.ts';

/**
 * The texts of some pages in each language. English has all keys, and every other available language has the same ones.
 */
export type InLanguages<Key extends string> = { en: Readonly<Record<Key, string>> } & Partial<
  Record<Locale, Readonly<Record<Key, string>>>
>;

export type Values = Readonly<Record<string, string>>;

/** A text that depends on a number has two keys, `key.one` and `key.other`. */
type CountedKey<Key extends string, All extends string = Key> = Key extends `${infer Base}.other`
  ? `${Base}.one` extends All
    ? Base
    : never
  : never;

/**
 * Returns a text in a language, from the page's texts or the frame's. Values replace its `{placeholders}` unchanged.
 */
export interface Texts<Key extends string> {
  (key: Key | TextKey<'frame'>, values?: Values): string;
  /** The language for days, numbers and amounts beside the texts. */
  locale: Locale;
  /** The text for a number, by the plural rule of the language. `{count}` is replaced by the number. */
  count: (key: CountedKey<Key>, count: number, values?: Values) => string;
  /** A text that only some pages have, such as the text for a rule. Undefined if this page does not have it. */
  find: (key: string, values?: Values) => string | undefined;
}

/** The texts of the frame, which every page can use. */
export type FrameTexts = (key: TextKey<'frame'>, values?: Values) => string;

/**
 * Returns the texts of some pages in a language. If there is no translation, they are in English. The sections are
 * searched in order.
 */
export function textsOf<Key extends string, Other extends string = never>(
  languages: InLanguages<Key>,
  { locale }: { locale: Locale },
  others?: InLanguages<Other>,
): Texts<Key | Other> {
  const known = languages[locale];
  const [texts, spoken]: [Values, Locale] = known ? [known, locale] : [languages.en, 'en'];
  const more: Values = others?.[spoken] ?? {};
  const frame: Values = dashboardTexts('frame')[dashboardLanguages.find((one) => one === spoken) ?? 'en'];
  const find = (key: string, values: Values = {}): string | undefined =>
    (texts[key] ?? more[key] ?? frame[key])?.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
  const text = (key: string, values?: Values): string => find(key, values) ?? key;
  const count = (key: string, number: number, values: Values = {}): string => {
    const form = new Intl.PluralRules(spoken).select(number) === 'one' ? 'one' : 'other';
    return text(`${key}.${form}`, { count: formatCount(number, spoken), ...values });
  };
  return Object.assign(text, { locale: spoken, count, find });
}

/** A text whose `{placeholders}` are replaced by markup, such as a link. */
export function withMarkup(text: string, markup: Readonly<Record<string, Html>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (markup[part] ?? `{${part}}`)))}`;
}

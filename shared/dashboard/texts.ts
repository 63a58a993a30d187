import { formatCount } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { dashboardLanguages, type FrameKey, frameTexts } from '../texts/texts.ts';

/** The texts of some pages: English has all keys, and so does every other language that is there. */
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

/** Gives a text in a language, of its page or of the frame, with its `{placeholders}` replaced literally. */
export interface Texts<Key extends string> {
  (key: Key | FrameKey, values?: Values): string;
  /** What days, numbers and amounts beside the text are written in. */
  locale: Locale;
  /** The text for a number, by the rule of the language, with the number in place of `{count}`. */
  count: (key: CountedKey<Key>, count: number, values?: Values) => string;
}

/** The texts of the frame, which those of every page include. */
export type FrameTexts = (key: FrameKey, values?: Values) => string;

/** Reads the texts of some pages in a language, in English if they are not translated. Others are read after them. */
export function textsOf<Key extends string, Other extends string = never>(
  languages: InLanguages<Key>,
  { locale }: { locale: Locale },
  others?: InLanguages<Other>,
): Texts<Key | Other> {
  const known = languages[locale];
  const [texts, spoken]: [Values, Locale] = known ? [known, locale] : [languages.en, 'en'];
  const more: Values = others?.[spoken] ?? {};
  const frame: Values = frameTexts[dashboardLanguages.find((one) => one === spoken) ?? 'en'];
  const text = (key: string, values: Values = {}): string =>
    (texts[key] ?? more[key] ?? frame[key] ?? key).replace(
      /\{(\w+)\}/g,
      (placeholder, name) => values[name] ?? placeholder,
    );
  const count = (key: string, number: number, values: Values = {}): string => {
    const form = new Intl.PluralRules(spoken).select(number) === 'one' ? 'one' : 'other';
    return text(`${key}.${form}`, { count: formatCount(number, spoken), ...values });
  };
  return Object.assign(text, { locale: spoken, count });
}

/** A text whose `{placeholders}` are replaced by markup, such as a link. */
export function withMarkup(text: string, markup: Readonly<Record<string, Html>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (markup[part] ?? `{${part}}`)))}`;
}

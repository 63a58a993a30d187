import type { Locale } from '../../pages/locale.ts';

/** The texts of some pages: English has all keys, and so does every other language that is there. */
export type Dictionary<Key extends string> = { en: Readonly<Record<Key, string>> } & Partial<
  Record<Locale, Readonly<Record<Key, string>>>
>;

/** Gives a text in a language, with its `{placeholders}` replaced literally. */
export type Texts<Key extends string> = (key: Key, values?: Readonly<Record<string, string>>) => string;

/** The texts of a dictionary in a language, English where the dictionary does not have it. */
export function textsOf<Key extends string>(dictionary: Dictionary<Key>, locale: Locale): Texts<Key> {
  const texts = dictionary[locale] ?? dictionary.en;
  return (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

export const languagesOf = <Key extends string>(dictionary: Dictionary<Key>): Locale[] =>
  Object.keys(dictionary) as Locale[];

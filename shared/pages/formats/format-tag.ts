import type { Locale } from '../locale.ts';

const scriptTags: Readonly<Record<string, string>> = { zh: 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** The tag of a language. For Chinese, it contains the script, because browsers choose the font by it. */
export const scriptTag = (language: string): string => scriptTags[language] ?? language;

/**
 * Tags for `Intl` that differ from the language: `pt` means Portugal's Portuguese, and Arabic uses the digits that
 * buyers type. Thai dates have the years of invoice numbers and forms, because both calendars print no era.
 */
const formatTags: Partial<Record<Locale, string>> = { pt: 'pt-PT', ar: 'ar-u-nu-latn', th: 'th-u-ca-gregory' };

export const formatTag = (locale: Locale): string => formatTags[locale] ?? scriptTag(locale);

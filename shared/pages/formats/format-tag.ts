import type { Locale } from '../locale.ts';

/**
 * Tags for `Intl` that differ from the language: `pt` means Portugal's Portuguese, and Arabic uses the digits that
 * buyers type.
 */
const formatTags: Partial<Record<Locale, string>> = { pt: 'pt-PT', zh: 'zh-Hans', ar: 'ar-u-nu-latn' };

export const formatTag = (locale: Locale): string => formatTags[locale] ?? locale;

import type { Locale } from '../locale.ts';

/** What numbers and dates look like: `pt` is spoken here as in Portugal, and Arabic has the digits that buyers type. */
const formatTags: Partial<Record<Locale, string>> = { pt: 'pt-PT', zh: 'zh-Hans', ar: 'ar-u-nu-latn' };

export const formatTag = (locale: Locale): string => formatTags[locale] ?? locale;

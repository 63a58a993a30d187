import { type Html, html } from './html.ts';

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'he']);

export const isRightToLeft = (locale: string): boolean => rightToLeft.has(locale);

/** The language of an element: its tag, with the script where it has several, and its direction where it is not the usual one. */
export const languageAttributes = (locale: string): Html =>
  html` lang="${locale === 'zh' ? 'zh-Hans' : locale}"${isRightToLeft(locale) && html` dir="rtl"`}`;

/** Replaces a text's `{placeholders}` literally. In a text from right to left each value keeps its own direction (isolates, UAX #9). */
export const filledText = (text: string, values: Readonly<Record<string, string>>, locale: string): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined || !isRightToLeft(locale)) return value ?? placeholder;
    return `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069`;
  });

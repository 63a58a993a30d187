import { isRightToLeft } from '../texts/texts.ts';
import { type Html, html } from './html.ts';

/** The language of an element: its tag, with the script where it has several, and its direction where it is not the usual one. */
export const languageAttributes = (locale: string): Html =>
  html` lang="${locale === 'zh' ? 'zh-Hans' : locale}"${isRightToLeft(locale) && html` dir="rtl"`}`;

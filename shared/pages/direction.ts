import { isRightToLeft } from '../texts/texts.ts';
import { scriptTag } from './formats/format-tag.ts';
import { type Html, html } from './html.ts';

/** The attributes of an element for its language: the tag, and the direction if it is read from right to left. */
export const languageAttributes = (locale: string): Html =>
  html` lang="${scriptTag(locale)}"${isRightToLeft(locale) && html` dir="rtl"`}`;

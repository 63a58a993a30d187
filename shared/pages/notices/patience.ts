import { busyTexts } from '../../texts/texts.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';

/**
 * The attributes of a button whose form the script sends again while the gateway refuses it. They are what the script
 * says meanwhile, and at the end. Without a script, the browser posts the form once.
 */
export function patience(locale: Locale): Html {
  const { title, text, unanswered } = busyTexts[locale];
  return html` data-trying="${`${title} – ${text}`}" data-unanswered="${unanswered}"`;
}

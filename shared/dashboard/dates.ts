import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';

const styles = {
  instant: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  dayOfYear: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const known = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats days in UTC by language. English uses the British order. Each formatter is created only once, because
 * creating one is slow.
 */
export function dayFormat(style: keyof typeof styles, locale: Locale): Intl.DateTimeFormat {
  const key = `${style} ${locale}`;
  const format =
    known.get(key) ??
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...styles[style], timeZone: 'UTC' });
  known.set(key, format);
  return format;
}

/** A time in a form for people, with the machine form in the markup. Only between day and time may the line break. */
export const time = (at: string, locale: Locale): Html =>
  html`<time datetime="${at}" title="${at}">${`${dayFormat('instant', locale).format(new Date(at))} UTC`.replaceAll(/(?<!,) /g, '\u00A0')}</time>`;

/** A day in a form for people: `3 Mar 2026`. */
export const dayText = (at: string, locale: Locale): string => dayFormat('day', locale).format(new Date(at));

export const date = (at: string, locale: Locale): Html => html`<time datetime="${at}">${dayText(at, locale)}</time>`;

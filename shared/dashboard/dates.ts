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
 * Formats days in UTC by language. English is written as in Great Britain. Each formatter is created once, because that
 * is slow.
 */
export function dayFormat(style: keyof typeof styles, locale: Locale): Intl.DateTimeFormat {
  const key = `${style} ${locale}`;
  const format =
    known.get(key) ??
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...styles[style], timeZone: 'UTC' });
  known.set(key, format);
  return format;
}

/** A time for people, with the machine format in the markup. A line break is allowed only between day and time. */
export const time = (at: string, locale: Locale): Html =>
  html`<time datetime="${at}" title="${at}">${`${dayFormat('instant', locale).format(new Date(at))} UTC`.replaceAll(/(?<!,) /g, '\u00A0')}</time>`;

/** A day for people, `3 Mar 2026`. */
export const dayText = (at: string, locale: Locale): string => dayFormat('day', locale).format(new Date(at));

export const date = (at: string, locale: Locale): Html => html`<time datetime="${at}">${dayText(at, locale)}</time>`;

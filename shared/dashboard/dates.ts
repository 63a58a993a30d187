import { env } from '../env.ts';
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
 * Formats days by language, in UTC or another time zone. English uses the British order. Each formatter is created only
 * once, because creating one is slow.
 */
export function dayFormat(style: keyof typeof styles, locale: Locale, timeZone = 'UTC'): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`;
  const format =
    known.get(key) ?? new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...styles[style], timeZone });
  known.set(key, format);
  return format;
}

/** The time zone of the merchant, in which the dashboard shows instants. Days without a time stay as they are. */
export const shownZone = (): string => env.merchant().timeZone ?? 'UTC';

/** The name of the zone at an instant: `UTC`, or its distance, such as `GMT+1`. */
function zoneName(at: Date, locale: Locale): string {
  const timeZone = shownZone();
  if (timeZone === 'UTC') return timeZone;
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** A time in a form for people, in the merchant's zone: `3 Mar 2026, 14:05 UTC`. */
export const shownTime = (at: string, locale: Locale): string =>
  `${dayFormat('instant', locale, shownZone()).format(new Date(at))} ${zoneName(new Date(at), locale)}`;

/** A time in a form for people, with the machine form in the markup. Only between day and time may the line break. */
export const time = (at: string, locale: Locale): Html =>
  html`<time datetime="${at}" title="${at}">${shownTime(at, locale).replaceAll(/(?<!,) /g, '\u00A0')}</time>`;

/** A day in a form for people: `3 Mar 2026`. */
export const dayText = (at: string, locale: Locale): string => dayFormat('day', locale).format(new Date(at));

export const date = (at: string, locale: Locale): Html => html`<time datetime="${at}">${dayText(at, locale)}</time>`;

/** The languages of Stripe's page that we use. A test compares them with the type of the `stripe` package. */
const spoken = new Set(
  (
    'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th ' +
    'tr vi zh zh-HK zh-TW'
  ).split(' '),
);

/**
 * The language of Stripe's page for one of our languages. It is the same language, or the one without the region.
 * Otherwise it is `auto`, which means the browser's.
 */
export function stripeLocale(locale: string | null): string {
  if (locale === null) return 'auto';
  const language = locale.split('-')[0] ?? '';
  return [locale, language].find((known) => spoken.has(known)) ?? 'auto';
}

/** All languages in the list above, for a test that compares them with Stripe's types. */
export const spokenLocales: ReadonlySet<string> = spoken;

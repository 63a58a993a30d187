import type { CountrySales } from '../../domain/reports/overview.ts';
import { countryName, formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { card, dataTable, money } from '../parts.ts';
import type { Texts } from '../texts.ts';

const most = 8;

/** The card with the countries in which most was sold. Its file has all of them. */
export const countriesCard = (countries: readonly CountrySales[], file: Html, t: Texts<TextKey<'reports'>>): Html =>
  card(
    { name: 'countries', title: t('countries') },
    html`<p class="lead">${t('countries.text')}</p>
${dataTable(
  t('countries'),
  [
    { label: t('countries.country'), cell: ({ country }) => countryName(country, t.locale) },
    { label: t('countries.count'), isNumber: true, cell: ({ payments }) => formatCount(payments, t.locale) },
    {
      label: t('net'),
      isNumber: true,
      cell: ({ net, before, currency }) =>
        html`${money(net, currency, t.locale)}${before !== null && html`<span class="hint">${t('before', { amount: money(before, currency, t.locale) })}</span>`}`,
    },
  ],
  countries.slice(0, most),
)}${file}`,
  );

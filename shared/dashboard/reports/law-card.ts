import type { LegalDuty } from '../../domain/reports/legal-duties.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { card } from '../parts.ts';
import { type Texts, withMarkup } from '../texts.ts';

const settings: Readonly<Partial<Record<LegalDuty, string>>> = {
  address: 'address',
  email: 'supportEmail',
  phone: 'supportPhone',
  sender: 'receipts',
};

/** The card about legal duties: what is missing, and what the shop does automatically. Empty if nothing is missing. */
export const lawCard = (duties: readonly LegalDuty[], t: Texts<TextKey<'reports'>>): Html =>
  duties.length === 0
    ? html``
    : card(
        { name: 'law', title: t('law') },
        html`<p class="lead">${withMarkup(t('law.lead'), { link: html`<a href="/dashboard/brands/rights">${t('law.rights')}</a>` })}</p>
<ul class="steps">${duties.map((duty) => html`<li><strong>${t('live.missing')}</strong> ${dutyText(duty, t)}</li>`)}</ul>`,
      );

function dutyText(duty: LegalDuty, t: Texts<TextKey<'reports'>>): Html {
  const setting = settings[duty];
  return withMarkup(t(`law.${duty}`), {
    setting: html`<code>${setting}</code>`,
    link: html`<a href="${`/dashboard/brands/policies?kind=${duty}`}">${t('law.write')}</a>`,
  });
}

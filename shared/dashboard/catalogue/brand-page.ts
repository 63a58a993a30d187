import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { drawing, type Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { imageField } from '../image-field.ts';
import {
  badge,
  card,
  dataTable,
  type FormFault,
  faultSummary,
  fieldCard,
  formKeys,
  messageAt,
  thumb,
} from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { brandEntries as entries } from './brand-entries.ts';

const commands = dashboardCommands.brands;

const section = '/dashboard/brands';

export function brandListPage(frame: Frame, brands: readonly Brand[]) {
  const t = textsOf(dashboardTexts('catalogue'), frame);
  return dashboardAnswer(
    frame,
    {
      title: t('nav./dashboard/brands'),
      section,
      main: html`${card(
        {},
        html`<p class="lead">${t('brands.lead')}</p>
${dataTable(t('nav./dashboard/brands'), columnsOf(t), brands)}`,
      )}
${card({ name: 'policies', title: t('policies') }, html`<p class="lead">${t('policies.lead')}</p><p class="submit"><a class="button second" href="${section}/policies">${t('policies.edit')}</a></p>`)}
${card({ name: 'rights', title: t('rights') }, html`<p class="lead">${t('rights.lead')}</p><p class="submit"><a class="button second" href="${section}/rights">${t('rights.edit')}</a></p>`)}`,
      actions: may(frame, commands.save)
        ? html`<a class="button" href="${section}/new">${t('brands.create')}</a>`
        : undefined,
    },
    { images: brands.map(({ logo }) => logo) },
  );
}

const columnsOf = (t: Texts<TextKey<'catalogue'>>) => [
  {
    label: t('brand'),
    cell: ({ id, name, logo }: Brand) =>
      html`<div class="thing">${thumb(logo, name)}<a href="${section}/${id}" dir="auto">${name}</a></div>`,
  },
  { label: t('brand.color'), cell: ({ color }: Brand) => colorCell(color, t) },
  { label: t('brand.email'), cell: ({ supportEmail }: Brand) => supportEmail ?? '–' },
];

const swatch = (color: string): Html =>
  html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4" fill="${color}"/></svg>`;

const colorCell = (color: string | null, t: Texts<TextKey<'catalogue'>>): Html =>
  color ? html`${swatch(color)}<code>${color}</code>` : html`<span class="soft">${t('brand.color.default')}</span>`;

interface BrandFormView {
  /** The brand; null for a new one. */
  brand: Brand | null;
  isPrimary: boolean;
  filled: Filled;
  faults: readonly FormFault[];
  /** The logo in a form that is shown again after an error. */
  keptImage: string | undefined;
}

export function brandFormPage(frame: Frame, { brand, isPrimary, filled, faults, keptImage }: BrandFormView) {
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const logo = brand?.logo ?? null;
  const field = drawing({ ...filled, faults });
  const isLocked = !may(frame, commands.save);
  const main = html`${isPrimary && html`<p class="states">${badge('primary', 'good', t('brand.primary'))} <span class="hint">${t('brand.primary.hint')}</span></p>`}
${faultSummary(faults, t)}
<form method="post" action="${brand ? `${section}/${brand.id}` : section}" enctype="multipart/form-data" novalidate>${formKeys(frame)}
${fieldCard(
  { title: t('brand'), isLocked, isSpoken: true },
  html`${field(entries.name)}
${field(entries.description)}
${imageField({ id: 'image', label: t('brand.logo'), t, current: logo, kept: keptImage, fault: messageAt(faults, 'image') })}
${field(entries.hasColor)}
${field(entries.color)}
${field(entries.supportEmail)}
${field(entries.url)}
${field(entries.statement)}
${field(entries.searchListing)}`,
)}${!isLocked && html`<p class="submit"><button class="main" name="action" value="save">${brand ? t('save') : t('brand.create')}</button></p>`}</form>`;
  const title = brand?.name ?? t('brand.new');
  const answered = { statusCode: faults.length > 0 ? 422 : 200, images: [logo, keptImage ?? null] };
  const above = { href: section, label: t('nav./dashboard/brands') };
  return dashboardAnswer(frame, { title, section, above, main, changes: commands.save }, answered);
}

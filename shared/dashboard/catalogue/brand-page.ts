import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { imageField } from '../image-field.ts';
import {
  badge,
  checkBox,
  dataTable,
  type FormFault,
  faultSummary,
  formKeys,
  messageAt,
  textArea,
  thumb,
} from '../parts.ts';

const commands = dashboardCommands.brands;

const section = '/dashboard/brands';

/** The entries of a brand's form. */
export interface BrandDraft {
  name: string;
  description: string;
  /** Empty: the house's own colour. */
  color: string;
  supportEmail: string;
  url: string;
}

export const newBrand: BrandDraft = { name: '', description: '', color: '', supportEmail: '', url: '' };

export const draftOfBrand = ({ name, description, color, supportEmail, url }: Brand): BrandDraft => ({
  name,
  description: description ?? '',
  color: color ?? '',
  supportEmail: supportEmail ?? '',
  url: url ?? '',
});

export const brandListPage = (frame: Frame, brands: readonly Brand[]) =>
  dashboardAnswer(
    frame,
    {
      title: 'Brands',
      section,
      main: html`<section class="card"><p class="lead">A brand is what buyers see on the checkout and on documents: a name, a colour, a logo, and an address for questions.</p>
${dataTable('Brands', columns, brands)}</section>
<section class="card" aria-labelledby="policies-title"><h2 id="policies-title">Terms, privacy and refunds</h2><p class="lead">The texts that every checkout links to.</p><p class="submit"><a class="button second" href="${section}/policies">Edit the texts</a></p></section>`,
      actions: may(frame, commands.save) ? html`<a class="button" href="${section}/new">Create a brand</a>` : undefined,
    },
    { images: brands.map(({ logo }) => logo) },
  );

const columns = [
  {
    label: 'Brand',
    cell: ({ id, name, logo }: Brand) =>
      html`<div class="thing">${thumb(logo, name)}<a href="${section}/${id}" dir="auto">${name}</a></div>`,
  },
  { label: 'Colour', cell: ({ color }: Brand) => colorCell(color) },
  { label: 'E-mail for questions', cell: ({ supportEmail }: Brand) => supportEmail ?? '–' },
];

const swatch = (color: string): Html =>
  html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="4" fill="${color}"/></svg>`;

const colorCell = (color: string | null): Html =>
  color ? html`${swatch(color)}<code>${color}</code>` : html`<span class="soft">default</span>`;

interface BrandFormView {
  /** Null while it is being created. */
  brand: Brand | null;
  isPrimary: boolean;
  draft: BrandDraft;
  faults: readonly FormFault[];
  /** The logo of a form that is shown again. */
  keptImage: string | undefined;
}

export function brandFormPage(frame: Frame, { brand, isPrimary, draft, faults, keptImage }: BrandFormView) {
  const logo = brand?.logo ?? null;
  const field = (id: keyof BrandDraft & string, label: string, hint: string, more = {}) =>
    textField({ id, name: id, label, value: draft[id], maxLength: 254, hint, fault: messageAt(faults, id), ...more });
  const main = html`${isPrimary && html`<p class="states">${badge('primary brand', 'good')} <span class="hint">Products belong to this brand unless they name another one.</span></p>`}
${faultSummary(faults)}
<form method="post" action="${brand ? `${section}/${brand.id}` : section}" enctype="multipart/form-data" novalidate>${formKeys(frame)}
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">Brand</legend>
${field('name', 'Name', 'Shown on the checkout, and on invoices beside your own name.', { isRequired: true, maxLength: 100 })}
${textArea({ id: 'description', label: 'Description (optional)', value: draft.description, maxLength: 1000, fault: messageAt(faults, 'description') })}
${imageField({ id: 'image', label: 'Logo', current: logo, kept: keptImage, fault: messageAt(faults, 'image') })}
${checkBox({ id: 'has_color', label: 'Use a custom colour', isChecked: draft.color !== '' })}
<div class="field when-coloured"><label for="color">Colour</label><input type="color" id="color" name="color" value="${draft.color || '#0b5c58'}"><p class="hint">The colour of the buttons. Their text is black or white, whichever is easier to read.</p></div>
${field('supportEmail', 'E-mail for questions (optional)', 'Shown to buyers.', { type: 'email' })}
${field('url', 'Web site (optional)', 'An https address.', { isCode: true, maxLength: 2048 })}
</fieldset>
${may(frame, commands.save) && html`<p class="submit"><button class="main" name="action" value="save">${brand ? 'Save' : 'Create the brand'}</button></p>`}</form>`;
  const title = brand?.name ?? 'New brand';
  const answered = { statusCode: faults.length > 0 ? 422 : 200, images: [logo, keptImage ?? null] };
  return dashboardAnswer(frame, { title, section, above: { href: section, label: 'Brands' }, main }, answered);
}

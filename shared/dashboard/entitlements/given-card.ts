import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { offeredFiles } from '../../domain/entitlements/files.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { type Frame, may } from '../frame.ts';
import { card, dataTable } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { addedKinds, entitlementPath, entitlementsOf, isPool } from './entitlement-kinds.ts';

/** The card on a product's page about what its buyers get. */
export function givenCard(frame: Frame, product: Product, given: readonly Entitlement[]): Html {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  return card(
    { name: 'given', title: t('title'), isLinked: true },
    html`${given.length === 0 ? html`<p class="soft">${t('none')}</p>` : entitlementTable(product, given, t)}
${may(frame, dashboardCommands.entitlements.create) && addLinks(product, t)}`,
  );
}

const entitlementTable = (product: Product, given: readonly Entitlement[], t: Texts<TextKey<'entitlements'>>): Html =>
  dataTable<Entitlement>(
    t('title'),
    [
      {
        label: t('column.name'),
        cell: (one) => html`<a class="leads" href="${entitlementPath(product.id, one)}" dir="auto">${one.name}</a>`,
      },
      { label: t('column.type'), cell: (one) => typeText(one, t) },
      { label: t('column.content'), cell: (one) => contentText(one, t) },
    ],
    given,
  );

const addLinks = ({ id }: Product, t: Texts<TextKey<'entitlements'>>): Html =>
  html`<p class="submit">${addedKinds.map((kind) => html`<a class="button second" href="${`${entitlementsOf(id)}?kind=${kind}`}">${t(`add.${kind}`)}</a>`)}<a href="${entitlementsOf(id)}">${t('add.existing')}</a></p>`;

/** The type of an entitlement as text. */
export const typeText = (one: Entitlement, t: Texts<TextKey<'entitlements'>>): string =>
  t(isPool(one) ? 'type.pool' : `type.${one.config.type}`);

/** The content of an entitlement, in a few words. */
export function contentText({ config }: Entitlement, t: Texts<TextKey<'entitlements'>>): string {
  switch (config.type) {
    case 'digital_files': {
      const files = offeredFiles(config).length;
      const beside = [config.url && t('content.link'), config.instructions && t('content.text')];
      return [files > 0 && t.count('content.files', files), ...beside].filter(Boolean).join(', ') || t('content.empty');
    }
    case 'license_key':
      if (config.fulfillment === 'pool') return t('content.pool');
      return config.activationsLimit === null
        ? t('content.unlimited')
        : t('content.devices', { limit: formatCount(config.activationsLimit, t.locale) });
    case 'feature_flag':
      return config.featureId;
  }
}

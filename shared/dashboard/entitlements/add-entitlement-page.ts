import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type Filled, hiddenField } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { actionButton, card, dataTable, type FormFault, faultSummary, pager } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { entitlementForm } from './entitlement-form.ts';
import { type AddedKind, entitlementsOf } from './entitlement-kinds.ts';
import { contentText, typeText } from './given-card.ts';

const commands = dashboardCommands.entitlements;

/** The part of the dashboard for the page's menu, and the product above the page. */
export const placeOfProduct = ({ id, name }: Product) =>
  ({ section: '/dashboard/products', above: { href: `/dashboard/products/${id}#given`, label: name } }) as const;

interface NewEntitlementView {
  product: Product;
  kind: AddedKind;
  filled: Filled;
  faults: readonly FormFault[];
}

/** The page with the form for a new entitlement of the product. */
export function newEntitlementPage(frame: Frame, { product, kind, filled, faults }: NewEntitlementView) {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  const label = t(kind === 'files' || kind === 'codes' ? `create.${kind}` : 'create');
  const form = entitlementForm(frame, {
    ...{ to: entitlementsOf(product.id), filled, faults, action: 'create', label },
    fields: hiddenField({ name: 'kind', value: kind }),
    isLocked: !may(frame, commands.create),
  });
  const main = html`<p class="soft">${t(`add.${kind}.hint`)}</p>
${faultSummary(faults, t)}${form}`;
  const answered = { statusCode: faults.length > 0 ? 422 : 200 };
  return dashboardAnswer(frame, { ...placeOfProduct(product), title: t(`add.${kind}`), main }, answered);
}

interface ExistingView {
  product: Product;
  entitlements: readonly Entitlement[];
  newest: string | undefined;
  older: string | undefined;
  /** Why an entitlement could not be attached. */
  faults?: readonly FormFault[];
}

/** The page with the entitlements of other products, which can also be attached to this product. */
export function existingEntitlementsPage(frame: Frame, view: ExistingView) {
  const { product, entitlements, newest, older, faults = [] } = view;
  const t = textsOf(dashboardTexts('entitlements'), frame);
  const attach = ({ id, name }: Entitlement) =>
    product.entitlements?.includes(id)
      ? html`<span class="soft">${t('attached')}</span>`
      : actionButton(frame, {
          ...{ to: entitlementsOf(product.id), action: 'attach', needs: commands.attach },
          ...{
            label: html`${t('attach')}<span class="visually-hidden"> ${name}</span>`,
            fields: { entitlement_id: id },
          },
        });
  const table = dataTable<Entitlement>(
    t('existing'),
    [
      { label: t('column.name'), cell: ({ name }) => html`<span dir="auto">${name}</span>` },
      { label: t('column.type'), cell: (one) => typeText(one, t) },
      { label: t('column.content'), cell: (one) => contentText(one, t) },
      { label: '', spokenLabel: t('table.actions'), cell: attach },
    ],
    entitlements,
  );
  const main = html`<p class="soft">${t('existing.hint')}</p>
${faultSummary(faults, t)}${card({}, html`${entitlements.length === 0 ? html`<p class="soft">${t('existing.none')}</p>` : table}${pager(newest, older, t)}`)}`;
  const answered = { statusCode: faults.length > 0 ? 422 : 200 };
  return dashboardAnswer(frame, { ...placeOfProduct(product), title: t('existing'), main }, answered);
}

import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import type { Pool } from '../../domain/entitlements/pool.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { holdersCard } from '../grants/grant-cards.ts';
import { actionButton, badge, card, type FormFault, faultSummary, guarded } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { placeOfProduct } from './add-entitlement-page.ts';
import { type AddedCodes, codesCard } from './codes-card.ts';
import { entitlementForm } from './entitlement-form.ts';
import { entitlementPath, entitlementsOf } from './entitlement-kinds.ts';
import { filesCard } from './files-card.ts';
import { contentText, typeText } from './given-card.ts';
import { keysCard } from './keys-card.ts';

const commands = dashboardCommands.entitlements;

interface EntitlementView {
  product: Product;
  entitlement: Entitlement;
  filled: Filled;
  faults: readonly FormFault[];
  /** The buyers who got it, one page of the list. */
  holders: Omit<Parameters<typeof holdersCard>[1], 'hasKeys'>;
  /** The state of its pool of codes, and the result of an import. Undefined if it has no pool. */
  codes: { pool: Pool; done: AddedCodes | undefined } | undefined;
  /** The result of an import of keys. Undefined if there was none. */
  keys: Parameters<typeof keysCard>[2];
  /** The origin to which the page sends files. */
  fileOrigin: string;
}

/** The page of an entitlement of a product. */
export function entitlementPage(frame: Frame, view: EntitlementView) {
  const { product, entitlement, filled, faults } = view;
  const t = textsOf(dashboardTexts('entitlements'), frame);
  const to = entitlementPath(product.id, entitlement);
  const { config } = entitlement;
  const form = entitlementForm(frame, {
    ...{ to, filled, faults, action: 'save', label: t('save') },
    isLocked: !may(frame, commands.save),
  });
  const main = html`<p class="states">${badge('', 'none', typeText(entitlement, t))}<span>${contentText(entitlement, t)}</span></p>
${faultSummary(faults, t)}
${!view.codes && html`<p class="hint">${t('live')}</p>`}
${config.type === 'digital_files' && filesCard(frame, to, config)}
${view.codes && codesCard(frame, to, view.codes)}
${form}
${config.type === 'license_key' && !view.codes && keysCard(frame, to, view.keys)}
${holdersCard(frame, { ...view.holders, hasKeys: config.type === 'license_key' })}
${attachment(frame, view, t)}`;
  const answered = { statusCode: faults.length > 0 ? 422 : 200, connectOrigins: [view.fileOrigin] };
  const content = { ...placeOfProduct(product), title: entitlement.name, main, changes: commands.save };
  return dashboardAnswer(frame, content, answered);
}

/** The button that detaches the entitlement from this product, or attaches it again. */
function attachment(frame: Frame, { product, entitlement }: EntitlementView, t: Texts<TextKey<'entitlements'>>): Html {
  const isAttached = product.entitlements?.includes(entitlement.id);
  const to = entitlementsOf(product.id);
  const fields = { entitlement_id: entitlement.id };
  const content = isAttached
    ? guarded(frame, t('detach'), t('detach.text'), {
        ...{ to, action: 'detach', needs: commands.detach, label: t('detach.button'), fields },
      })
    : html`<p class="note wait">${t('detached')}</p>${actionButton(frame, { to, action: 'attach', needs: commands.attach, label: t('attach'), fields })}`;
  return may(frame, commands.detach) || !isAttached ? card({}, content) : html``;
}

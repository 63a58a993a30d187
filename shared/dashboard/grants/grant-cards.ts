import { grantsOwedBy } from '../../domain/entitlements/grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { GrantOverview } from '../../use-cases/entitlements/grant-overview.ts';
import type { Frame } from '../frame.ts';
import { card, dataTable, pager } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { buyerColumn, givenColumn, keyColumn, saleColumn, stateColumn, useColumn } from './grant-cells.ts';

interface HoldersView {
  grants: readonly GrantOverview[];
  hasKeys: boolean;
  newest: string | undefined;
  older: string | undefined;
}

/** The card on an entitlement's page with the buyers who got it. */
export function holdersCard(frame: Frame, { grants, hasKeys, newest, older }: HoldersView): Html {
  const t = textsOf(dashboardTexts('grants'), frame);
  const columns = [
    buyerColumn(t),
    saleColumn(t),
    stateColumn(t),
    ...(hasKeys ? [keyColumn(frame, t)] : []),
    useColumn(t),
  ];
  const table = dataTable(t('holders'), columns, grants);
  return card(
    { name: 'holders', title: t('holders'), isLinked: true },
    html`${grants.length === 0 ? html`<p class="soft">${t('holders.none')}</p>` : table}${pager(newest, older, t)}`,
  );
}

/** The card on a payment's page with what the payment gave. */
export function paymentGrantsCard(frame: Frame, payment: Payment, grants: readonly GrantOverview[]): Html {
  const owed = payment.status === 'succeeded' ? grantsOwedBy(payment).length : 0;
  if (owed === 0) return html``;
  const t = textsOf(dashboardTexts('grants'), frame);
  const columns = [
    givenColumn(t),
    stateColumn(t),
    ...(grants.some(({ key }) => key) ? [keyColumn(frame, t)] : []),
    useColumn(t),
  ];
  return card(
    { name: 'grants', title: t('ofPayment'), isLinked: true },
    html`${grants.length > 0 && dataTable(t('ofPayment'), columns, grants)}${grants.length < owed && html`<p class="soft">${t('ofPayment.waits')}</p>`}`,
  );
}

/** The card on a customer's page with what the customer can use now. */
export function customerGrantsCard(frame: Frame, grants: readonly GrantOverview[]): Html {
  const t = textsOf(dashboardTexts('grants'), frame);
  const columns = [
    givenColumn(t),
    saleColumn(t),
    ...(grants.some(({ key }) => key) ? [keyColumn(frame, t)] : []),
    useColumn(t),
  ];
  return card(
    { name: 'grants', title: t('ofCustomer'), isLinked: true },
    grants.length === 0
      ? html`<p class="soft">${t('ofCustomer.none')}</p>`
      : dataTable(t('ofCustomer'), columns, grants),
  );
}

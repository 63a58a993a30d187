import { isPermitted } from '../../domain/access/access.ts';
import type { NoAccess } from '../../domain/entitlements/access-right.ts';
import { allDownloads } from '../../domain/entitlements/downloads.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import { type KeyStatus, type LicenseKey, maskedKey } from '../../domain/entitlements/license-key.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html, type Slot } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { GrantOverview } from '../../use-cases/entitlements/grant-overview.ts';
import { time } from '../dates.ts';
import type { Frame } from '../frame.ts';
import { badge, type DataColumn, type Mood, money } from '../parts.ts';
import type { Texts } from '../texts.ts';

export type GrantTexts = Texts<TextKey<'grants'>>;

export const grantPath = ({ id }: Pick<Grant, 'id'>): string => `/dashboard/grants/${id}`;

const stateMoods: Readonly<Record<NoAccess, Mood>> = {
  pending: 'wait',
  failed: 'bad',
  revoked: 'none',
  unpaid: 'none',
  refunded: 'none',
  disputed: 'wait',
  lost: 'bad',
};

/** Whether the buyer has access now, and if not, why. */
export const accessBadge = ({ noAccess }: Pick<GrantOverview, 'noAccess'>, t: GrantTexts): Html =>
  noAccess === undefined
    ? badge('', 'good', t('state.delivered'))
    : badge('', stateMoods[noAccess], t(`state.${noAccess}`));

const keyMoods: Readonly<Record<KeyStatus, Mood>> = { active: 'good', expired: 'wait', disabled: 'none' };

export const keyBadge = (status: KeyStatus, t: GrantTexts): Html => badge('', keyMoods[status], t(`key.${status}`));

/** A licence key as the viewer may see it. Only a viewer with write access sees the whole key. */
export const shownKey = ({ viewer }: Pick<Frame, 'viewer'>, { key }: Pick<LicenseKey, 'key'>): string =>
  isPermitted(viewer, 'write') ? key : maskedKey(key);

/** The number of devices on which a key is active, and the highest number. */
export const deviceText = ({ activations, activationsLimit }: LicenseKey, t: GrantTexts): string =>
  activationsLimit === null
    ? t.count('devices.count', activations)
    : t('devices.of', {
        count: formatCount(activations, t.locale),
        limit: formatCount(activationsLimit, t.locale),
      });

/** How a grant was used: its downloads, or its devices. */
function useCell({ grant, key }: GrantOverview, t: GrantTexts): Slot {
  if (key) return key.key.isPoolCode ? '–' : deviceText(key.key, t);
  const downloads = allDownloads(grant);
  if (grant.type !== 'digital_files') return '–';
  if (!downloads) return t('downloads.none');
  return html`${t.count('downloads', downloads.count)}<span class="hint">${t('downloads.last')} ${time(downloads.lastAt, t.locale)}</span>`;
}

type GrantColumn = DataColumn<GrantOverview>;

/** The column with the entitlement, linked to its page. */
export const givenColumn = (t: GrantTexts): GrantColumn => ({
  label: t('column.what'),
  cell: ({ grant, entitlement }) =>
    html`<a class="leads" href="${grantPath(grant)}" dir="auto">${entitlement?.name ?? grant.entitlementName}</a>`,
});

/** The column with the buyer, linked to the page of the grant. */
export const buyerColumn = (t: GrantTexts): GrantColumn => ({
  label: t('column.buyer'),
  cell: ({ grant, payment }) => {
    const { name = '', email = '' } = payment?.customer ?? {};
    return html`<a class="leads" href="${grantPath(grant)}" dir="auto">${name || email || grant.customerId}</a>${name && email && html`<span class="hint">${email}</span>`}`;
  },
});

export const saleColumn = (t: GrantTexts): GrantColumn => ({
  label: t('column.payment'),
  cell: ({ grant, payment }) =>
    html`<a href="/dashboard/payments/${grant.paymentId}">${payment ? money(payment.gross, payment.currency, t.locale) : grant.paymentId}</a><span class="hint">${time(grant.createdAt, t.locale)}</span>`,
});

export const stateColumn = (t: GrantTexts): GrantColumn => ({
  label: t('column.state'),
  cell: (one) => accessBadge(one, t),
});

export const useColumn = (t: GrantTexts): GrantColumn => ({
  label: t('column.use'),
  cell: (one) => useCell(one, t),
});

export const keyColumn = (frame: Pick<Frame, 'viewer'>, t: GrantTexts): GrantColumn => ({
  label: t('column.key'),
  cell: ({ key }) => (key ? html`<code class="key">${shownKey(frame, key.key)}</code>` : '–'),
});

import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Revocation } from '../../domain/entitlements/grant.ts';
import type { Activation, KeyState } from '../../domain/entitlements/license-key.ts';
import { textField } from '../../pages/fields.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { GrantOverview } from '../../use-cases/entitlements/grant-overview.ts';
import { time } from '../dates.ts';
import type { Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  card,
  copyButton,
  dataTable,
  dateBox,
  type FormFault,
  facts,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  money,
} from '../parts.ts';
import { textsOf } from '../texts.ts';
import { accessBadge, deviceText, type GrantTexts, grantPath, keyBadge, shownKey } from './grant-cells.ts';

const commands = dashboardCommands.grants;
const section = '/dashboard/payments';

export interface GrantPageView {
  given: GrantOverview;
  /** The devices of its key, newest first. */
  devices: readonly Activation[];
  /** Whether the mail of its purchase can be sent again. */
  canMail: boolean;
  /** Whether the merchant's own code supplies its keys, so that the page asks for the new key. */
  isKeyAsked: boolean;
  filled: Filled;
  faults: readonly FormFault[];
}

/** The page of a grant: how it is used, and what a member can do about it. */
export function grantPage(frame: Frame, view: GrantPageView) {
  const { given, faults } = view;
  const { grant, entitlement, key } = given;
  const t = textsOf(dashboardTexts('grants'), frame);
  const title = entitlement?.name ?? grant.entitlementName;
  const main = html`${faultSummary(faults, t)}
<div class="columns main-aside">
<div class="stack">${key && keyCard(frame, view, key, t)}${key && !key.key.isPoolCode && devicesCard(frame, view, t)}${grant.type === 'digital_files' && downloadsCard(given, t)}${rightCard(frame, view, t)}</div>
<div class="stack">${saleCard(frame, view, t)}</div>
</div>`;
  const above = { href: `${section}/${grant.paymentId}`, label: t('payment') };
  return dashboardAnswer(frame, { title, section, above, main }, { statusCode: faults.length > 0 ? 422 : 200 });
}

/** The buyer, the sale and the state. */
function saleCard(frame: Frame, { given, canMail }: GrantPageView, t: GrantTexts): Html {
  const { grant, payment } = given;
  const { name = '', email = '' } = payment?.customer ?? {};
  const order = `${section}/${grant.paymentId}/order`;
  const { send } = dashboardCommands.orders;
  return card(
    { name: 'sale', title: t('sale') },
    html`${facts([
      [t('column.state'), accessBadge(given, t)],
      [
        t('column.buyer'),
        html`<a href="/dashboard/customers/${grant.customerId}" dir="auto">${name || email || grant.customerId}</a>${name && email && html`<br><span class="hint">${email}</span>`}`,
      ],
      [
        t('payment'),
        html`<a href="${section}/${grant.paymentId}">${payment ? money(payment.gross, payment.currency, t.locale) : grant.paymentId}</a>`,
      ],
      [
        t('product'),
        html`<a href="/dashboard/products/${grant.productId}" dir="auto">${payment?.lines[grant.line]?.name ?? grant.productId}</a>`,
      ],
      [t('delivered'), grant.deliveredAt && time(grant.deliveredAt, t.locale)],
      ...revocationFacts(grant.revocation, t),
    ])}
<div class="submit">${canMail && actionButton(frame, { to: order, action: 'send', needs: send, label: t('mail') })}<a href="${order}">${t('order')}</a></div>`,
  );
}

function revocationFacts(revocation: Revocation | null, t: GrantTexts): [string, Html | string][] {
  if (!revocation) return [];
  const { at, by, reason } = revocation;
  return [
    [t('revoked'), time(at, t.locale)],
    [t('revoked.why'), reason ? html`<span dir="auto">${reason}</span>` : t(`revoked.${by}`)],
  ];
}

/** The card with the licence key, its terms, and the form that replaces it. */
function keyCard(frame: Frame, view: GrantPageView, { key, status }: KeyState, t: GrantTexts): Html {
  const text = shownKey(frame, key);
  const isWhole = text === key.key;
  const title = t(key.isPoolCode ? 'code' : 'key');
  return card(
    { name: 'key', title },
    html`<p class="states"><code class="key">${text}</code>${isWhole && copyButton(text, t('copy'))}${keyBadge(status, t)}</p>
${
  !key.isPoolCode &&
  (may(frame, commands.change_key)
    ? termsForm(frame, view, t)
    : facts([
        [t('devices'), deviceText(key, t)],
        [t('expires'), key.expiresAt && time(key.expiresAt, t.locale)],
      ]))
}
${view.given.noAccess === undefined && reissueForm(frame, view, t)}`,
  );
}

function termsForm(frame: Frame, { given, filled, faults }: GrantPageView, t: GrantTexts): Html {
  const { typed } = filled;
  return html`<form method="post" action="${grantPath(given.grant)}" novalidate>${formKeys(frame)}<input type="hidden" name="key_id" value="${given.key?.key.id}">
<div class="pair">${textField({ id: 'limit', name: 'limit', label: t('limit'), value: typed['limit'] ?? '', maxLength: 7, isCode: true, hint: t('limit.hint'), fault: messageAt(faults, 'limit') })}
${dateBox({ id: 'expires', name: 'expires', label: t('expires.field'), value: typed['expires'] ?? '', hint: t('expires.hint'), fault: messageAt(faults, 'expires') })}</div>
<p class="submit"><button class="second" name="action" value="change_key">${t('terms.save')}</button></p></form>`;
}

/** The form for a new key. The old key ends, so the button needs one more click. */
function reissueForm(frame: Frame, { given, isKeyAsked, faults }: GrantPageView, t: GrantTexts): Html {
  const { grant, key } = given;
  if (!key) return html``;
  const choice = isKeyAsked
    ? textField({
        id: 'new_key',
        name: 'new_key',
        label: t('reissue.key'),
        value: '',
        maxLength: 255,
        isCode: true,
        isRequired: true,
        fault: messageAt(faults, 'new_key'),
      })
    : undefined;
  return guarded(frame, t('reissue'), t(key.key.isPoolCode ? 'reissue.code.text' : 'reissue.text'), {
    ...{ to: grantPath(grant), action: 'reissue', needs: commands.reissue, label: t('reissue.button'), choice },
    fields: { key_id: key.key.id },
  });
}

const devicesCard = (frame: Frame, { given, devices }: GrantPageView, t: GrantTexts): Html =>
  card(
    { name: 'devices', title: t('devices') },
    devices.length === 0
      ? html`<p class="soft">${t('devices.none')}</p>`
      : html`<p class="hint">${given.key && deviceText(given.key.key, t)}</p>${dataTable<Activation>(
          t('devices'),
          [
            { label: t('device'), cell: ({ name }) => html`<span dir="auto">${name}</span>` },
            { label: t('device.since'), cell: ({ createdAt }) => time(createdAt, t.locale) },
            {
              label: '',
              spokenLabel: t('table.actions'),
              cell: ({ id, licenseKeyId }) =>
                guarded(frame, t('device.end'), t('device.end.text'), {
                  ...{ to: grantPath(given.grant), action: 'end_device', needs: commands.end_device },
                  ...{ label: t('device.end.button'), fields: { key_id: licenseKeyId, device_id: id } },
                }),
            },
          ],
          devices,
        )}`,
  );

interface FileDownloads {
  name: string;
  count: number;
  firstAt: string;
  lastAt: string;
}

function downloadsCard({ grant, entitlement }: GrantOverview, t: GrantTexts): Html {
  const files = entitlement?.config.type === 'digital_files' ? entitlement.config.files : [];
  const names = new Map(files.map(({ id, name }) => [id, name]));
  const rows = Object.entries(grant.downloads ?? {}).map(([id, use]) => ({ ...use, name: names.get(id) ?? '' }));
  return card(
    { name: 'downloads', title: t('downloads.title') },
    rows.length === 0
      ? html`<p class="soft">${t('downloads.none')}</p>`
      : dataTable<FileDownloads>(
          t('downloads.title'),
          [
            { label: t('file'), cell: ({ name }) => html`<span dir="auto">${name || t('file.removed')}</span>` },
            { label: t('downloads.title'), isNumber: true, cell: ({ count }) => formatCount(count, t.locale) },
            { label: t('downloads.first'), cell: ({ firstAt }) => time(firstAt, t.locale) },
            { label: t('downloads.last'), cell: ({ lastAt }) => time(lastAt, t.locale) },
          ],
          rows,
        ),
  );
}

/** The card with the button that takes the access away or gives it back. */
function rightCard(frame: Frame, { given }: GrantPageView, t: GrantTexts): Html {
  const { grant } = given;
  const to = grantPath(grant);
  if (grant.status !== 'revoked') {
    if (!may(frame, commands.revoke)) return html``;
    const choice = textField({
      id: 'reason',
      name: 'reason',
      label: t('reason'),
      value: '',
      maxLength: 300,
      hint: t('reason.hint'),
    });
    return card(
      {},
      guarded(frame, t('revoke'), t('revoke.text'), {
        to,
        action: 'revoke',
        needs: commands.revoke,
        label: t('revoke.button'),
        choice,
      }),
    );
  }
  if (grant.revocation?.by !== 'merchant') return card({}, html`<p class="hint">${t('restore.itself')}</p>`);
  const button = actionButton(frame, { to, action: 'restore', needs: commands.restore, label: t('restore') });
  return may(frame, commands.restore) ? card({}, html`<p class="hint">${t('restore.text')}</p>${button}`) : html``;
}

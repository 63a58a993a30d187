import type { SessionLine } from '../domain/checkout/checkout-session.ts';
import { noAccessOf } from '../domain/entitlements/access-right.ts';
import type { EntitlementFile } from '../domain/entitlements/entitlement.ts';
import { offeredFiles } from '../domain/entitlements/files.ts';
import { type Grant, grantsOwedBy } from '../domain/entitlements/grant.ts';
import type { GrantView } from '../domain/entitlements/grant-view.ts';
import { productEntitlementIdOf } from '../domain/ids.ts';
import { type AccessEnd, accessEndOf } from '../domain/orders/line-access.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { isWaived } from '../domain/withdrawal/opening.ts';
import { formatCount, formatDate } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { inLanguage, type Locale } from '../pages/locale.ts';
import type { TranslateOrder } from '../texts/texts.ts';
import { downloadForm } from './downloads/download-form.ts';

/** A file of a grant, with the token for its button. */
type GivenFile = Pick<EntitlementFile, 'id' | 'name' | 'size'> & { token: string };

/** One thing that a line of the order gives its buyer. */
type Given =
  | { kind: 'text'; url: string | null; instructions: string | null }
  | { kind: 'files'; grantId: string; files: readonly GivenFile[] }
  | { kind: 'key'; isPoolCode: boolean; key: string; message: string | null; uses: KeyUses }
  | { kind: 'flag'; name: string }
  /** A key, a link or a text that is hidden until the buyer opens it. */
  | { kind: 'closed'; line: number; endsRight: boolean }
  /** Content that still waits for the confirmation of the contract. */
  | { kind: 'soon' }
  | { kind: 'none'; why: Ended };

/** Why a grant gives nothing now. */
type Ended = AccessEnd | 'pending' | 'failed' | 'revoked';

interface KeyUses {
  activations: number;
  limit: number | null;
  expiresAt: string | null;
}

/** A line of the order, and the files, licence keys and links that it gives to the buyer. */
export interface GivingLine {
  name: string;
  gives: readonly Given[];
}

/**
 * The text and address of a line, as its checkout session stored them. Empty if the product has an entitlement for
 * them, because the grant of that shows the current ones.
 */
export function deliveryOf(sold: Pick<SessionLine, 'delivery' | 'entitlements' | 'productId'> | undefined): Given[] {
  if (!sold?.delivery) return [];
  const own = productEntitlementIdOf(sold.productId, 'digital_files');
  return sold.entitlements?.some(({ id }) => id === own) ? [] : [{ kind: 'text', ...sold.delivery }];
}

/**
 * What the grants of a line give now. Each grant has its own state, so one can end while another stays. A grant that
 * does not exist yet is shown as pending, unless the line's access has ended.
 */
export function grantedOn(
  line: number,
  views: readonly GrantView[],
  payment: Payment,
  { tokenOf, waiting, kept }: Opening,
): Given[] {
  const isKept = kept.has(line);
  const known = views.filter(({ grant }) => grant.line === line);
  const owed = grantsOwedBy(payment).filter((one) => one.line === line);
  const isAwaited = known.length < owed.length && accessEndOf(payment, line) === undefined;
  const awaited: Given[] = isAwaited ? [{ kind: 'none', why: 'pending' }] : [];
  const given = known.flatMap((view) =>
    givenOf(view, payment, tokenOf).map((one) => opened(one, { view, payment, isKept })),
  );
  const isSoon = waiting.has(line) && given.some(({ kind }) => kind !== 'none');
  return onceEach([...(isSoon ? given.filter(isEnded) : given), ...(isSoon ? [soon] : []), ...awaited]);
}

export interface Opening {
  tokenOf: (file: { grantId: string; fileId: string }) => string;
  /** The lines whose content cannot be opened yet. */
  waiting: ReadonlySet<number>;
  /**
   * The last day of withdrawal, by line. It has only lines whose content opened before the contract was confirmed, so
   * the buyer can still withdraw.
   */
  kept: ReadonlyMap<number, string>;
}

export const soon: Given = { kind: 'soon' };
const isEnded = ({ kind }: Given): boolean => kind === 'none';

/**
 * Hides a key or a text until the buyer opens it, if the buyer asked for immediate supply. A file needs no such step,
 * because it has its own button.
 */
const opened = (
  given: Given,
  { view: { grant }, payment, isKept }: { view: GrantView; payment: Payment; isKept: boolean },
): Given =>
  (given.kind === 'key' || given.kind === 'text') && grant.openedAt === undefined && isWaived(payment, grant.line)
    ? { kind: 'closed', line: grant.line, endsRight: !isKept }
    : given;

/**
 * Removes repetitions. Each reason is shown once even if several grants have ended. There is one note about waiting,
 * and one button to open a line.
 */
export const onceEach = (gives: readonly Given[]): Given[] =>
  gives.filter((given, index) => !once.has(given.kind) || index === gives.findIndex((other) => isSame(other, given)));

const once: ReadonlySet<Given['kind']> = new Set(['none', 'closed', 'soon']);
const isSame = (one: Given, other: Given): boolean => JSON.stringify(one) === JSON.stringify(other);

function givenOf(
  { grant, entitlement, key }: GrantView,
  payment: Payment,
  tokenOf: (file: { grantId: string; fileId: string }) => string,
): Given[] {
  const why = endOf(grant, payment);
  if (why) return [{ kind: 'none', why }];
  const config = entitlement?.config;
  if (config?.type === 'digital_files') {
    const files = offeredFiles(config).map((file) => givenFile(grant, file, tokenOf));
    const { url, instructions } = config;
    return [
      ...(files.length > 0 ? [{ kind: 'files' as const, grantId: grant.id, files }] : []),
      ...(url || instructions ? [{ kind: 'text' as const, url, instructions }] : []),
    ];
  }
  if (key) {
    const { activations, activationsLimit: limit, expiresAt, isPoolCode } = key.key;
    const message = config?.type === 'license_key' ? config.activationMessage : null;
    return [{ kind: 'key', isPoolCode, key: key.key.key, message, uses: { activations, limit, expiresAt } }];
  }
  return [{ kind: 'flag', name: grant.entitlementName }];
}

function endOf(grant: Grant, payment: Payment): Ended | undefined {
  const why = noAccessOf(grant, payment);
  if (why === 'refunded' || why === 'disputed' || why === 'lost') return accessEndOf(payment, grant.line) ?? why;
  if (why === 'revoked' && grant.revocation?.by !== 'merchant') return accessEndOf(payment, grant.line) ?? why;
  return why === 'unpaid' ? 'pending' : why;
}

const givenFile = (
  { id: grantId }: Grant,
  { id, name, size }: EntitlementFile,
  tokenOf: (file: { grantId: string; fileId: string }) => string,
): GivenFile => ({ id, name, size, token: tokenOf({ grantId, fileId: id }) });

/** Everything that a line gives, below its name. For screen readers, each link contains the name. */
export const givenParts = ({ name, gives }: GivingLine, { t, locale, path }: Omit<Shown, 'name'>): Html =>
  html`${gives.map((given) => givenPart(given, { name, t, locale, path }))}`;

interface Shown {
  name: string;
  /** The path of the order page. */
  path: string;
  t: TranslateOrder;
  locale: Locale;
}

function givenPart(given: Given, { name, t, locale, path }: Shown): Html {
  switch (given.kind) {
    case 'text':
      return textPart(given, name, t);
    case 'files':
      return html`<ul class="files">${given.files.map(
        ({ id: fileId, ...file }) =>
          html`<li>${downloadForm({ grantId: given.grantId, fileId, ...file }, locale, t)}</li>
`,
      )}</ul>
`;
    case 'key':
      return keyPart(given, t, locale);
    case 'flag':
      return html`<p>${t('access', { name: given.name })}</p>
`;
    case 'closed':
      return html`<form method="post" action="${inLanguage(path, locale)}">
<input type="hidden" name="line" value="${given.line}">
${given.endsRight && html`<p class="hint">${t('open.ends')}</p>`}
<button class="pay">${t('open')}<span class="visually-hidden" dir="auto"> (${name})</span></button>
</form>
`;
    case 'soon':
      return html`<p>${t('soon')}</p>
<p><a class="quiet" href="${inLanguage(path, locale)}">${t('look_again')}</a></p>
`;
    case 'none':
      return html`<p class="hint">${t(`end.${given.why}`)}</p>
`;
  }
}

const textPart = ({ url, instructions }: Extract<Given, { kind: 'text' }>, name: string, t: TranslateOrder): Html =>
  html`${
    instructions &&
    html`<p class="prose" dir="auto">${instructions}</p>
`
  }${
    url &&
    html`<p><a class="pay" href="${url}" rel="noopener noreferrer" target="_blank">${t('open')}<span class="visually-hidden" dir="auto"> (${name})</span></a></p>
`
  }`;

function keyPart(
  { isPoolCode, key, message, uses }: Extract<Given, { kind: 'key' }>,
  t: TranslateOrder,
  locale: Locale,
) {
  return html`<p>${t(isPoolCode ? 'code' : 'key')}<br><code class="key" dir="ltr">${key}</code></p>
${message && html`<p class="prose" dir="auto">${message}</p>`}
${!isPoolCode && html`<p class="hint">${usesText(uses, t, locale)}</p>`}
`;
}

function usesText({ activations, limit, expiresAt }: KeyUses, t: TranslateOrder, locale: Locale): string {
  const count = formatCount(activations, locale);
  const devices =
    limit === null ? t('devices', { count }) : t('devices.of', { count, limit: formatCount(limit, locale) });
  return expiresAt === null ? devices : `${devices} ${t('valid_until', { date: formatDate(expiresAt, locale) })}`;
}

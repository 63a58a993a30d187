import { type ApiKey, isInUse } from '../../domain/access/api-key.ts';
import { dayMs } from '../../domain/duration.ts';
import type { Pool } from '../../domain/entitlements/pool.ts';
import { awaitsEvidence, type DisputeRow } from '../../domain/payments/dispute.ts';
import type { AccountLacks } from '../../domain/processor.ts';
import { isStillSent, type LeftOutField } from '../../domain/reports/left-out-field.ts';
import type { ThresholdStatus, ThresholdWatch } from '../../domain/reports/thresholds.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { type WithdrawalCase, warningDays } from '../../domain/withdrawal/withdrawal-case.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import type { AccountLacksStore } from '../../store/account-lacks-store.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import type { PoolStore } from '../../store/entitlements/pool-store.ts';
import type { LeftOutFieldStore } from '../../store/left-out-field-store.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { ofStatuses } from '../withdrawal/find-statuses.ts';

export interface LoadAttentionDeps {
  payments: Pick<PaymentLists, 'listBriefly' | 'listRefundsBriefly' | 'named'>;
  disputes: Pick<DisputeStore, 'list'>;
  webhooks: Pick<WebhookStore, 'allWithHealth'>;
  mails: Pick<MailStore, 'lost'>;
  pools: Pick<PoolStore, 'listTold'>;
  apiKeys: Pick<ApiKeyStore, 'list'>;
  leftOutFields: Pick<LeftOutFieldStore, 'all'>;
  /** The store of what the processor's account lacks. Undefined if the stage names no processor. */
  accountLacks: Pick<AccountLacksStore, 'find'> | undefined;
  withdrawals: Pick<WithdrawalStore, 'list'>;
  now: () => Date;
}

/** Everything that needs the merchant's attention; all lists are empty if nothing does. */
export interface Attention {
  /** Endpoints that fail, or were disabled because of failures. */
  webhooks: readonly Pick<WebhookEndpoint, 'id' | 'url'>[];
  /** Disputes that wait for evidence. */
  disputes: readonly DisputeRow[];
  /**
   * Documents that did not reach the buyer: invoices and credit notes that no mail server accepts, and mails of
   * purchases that bounced permanently. `id` is the payment or refund, and `paymentId` is the payment whose page shows
   * it.
   */
  unsent: readonly { id: string; paymentId: string; why: 'refused' | 'bounced' }[];
  /** Pools of codes that are nearly empty, or for which sales wait. */
  pools: readonly Pool[];
  /** API keys that expire soon. */
  keys: readonly Pick<ApiKey, 'name' | 'expiresAt'>[];
  /** Withdrawals without a decision, or whose refund has failed, and whose time for the refund is nearly over. */
  withdrawals: readonly WithdrawalCase[];
  /** How many payments wait for a decision by the merchant. */
  decisions: number;
  /** Limits of tax registration that are nearly reached or exceeded. */
  thresholds: readonly ThresholdStatus[];
  /**
   * The rights and events that the account at the processor lacks, although sales work without them. Null if nothing is
   * missing, or if that is not known.
   */
  accountLacks: AccountLacks | null;
  /** Fields without effect that programs still send in requests. */
  leftOutFields: readonly LeftOutField[];
}

/** How many of the newest payments, and of the newest refunds, are checked. */
export const mostLookedAt = 50;
const newest = { size: mostLookedAt, skip: 0, after: undefined };
/** How many days back disputes are read, because a bank decides within months. */
const disputeDays = 180;
const keyDays = 14;
/** How many days back withdrawals are read. Older ones are decided, or are no longer of interest. */
const withdrawalDays = 180;

/** Loads everything that needs attention. It reads a limited number of rows, even if there are many payments. */
export async function loadAttention(deps: LoadAttentionDeps, watch: ThresholdWatch): Promise<Attention> {
  const now = deps.now();
  const createdFrom = daysBefore(now, disputeDays);
  const [latest, refunds, disputes, webhooks, keys, leftOut, pools, withdrawals, lacks] = await Promise.all([
    deps.payments.listBriefly({}, newest),
    deps.payments.listRefundsBriefly({}, newest),
    deps.disputes.list({ createdFrom, matches: awaitsEvidence }, newest),
    deps.webhooks.allWithHealth(),
    deps.apiKeys.list(),
    deps.leftOutFields.all(),
    deps.pools.listTold(),
    deps.withdrawals.list(newest, {
      createdFrom: daysBefore(now, withdrawalDays),
      createdTo: daysBefore(now, warningDays),
      ...ofStatuses({ lists: deps.payments }, ['declared', 'refund_failed']),
    }),
    deps.accountLacks?.find(),
  ]);
  const paymentOf = new Map([
    ...latest.items.filter(hasSucceeded).map(({ id }) => [id, id] as const),
    ...refunds.items.filter(hasSucceeded).map(({ id, paymentId }) => [id, paymentId] as const),
  ]);
  const lost = await deps.mails.lost([...paymentOf.keys()]);
  return {
    webhooks: failing(webhooks),
    disputes: disputes.items,
    unsent: lost.map((one) => ({ ...one, paymentId: paymentOf.get(one.id) ?? one.id })).filter(canBeMended),
    pools,
    withdrawals: withdrawals.items,
    keys: keys.keys.filter((key) => endsSoon(key, now)),
    decisions: latest.items.filter(({ attention }) => attention !== undefined).length,
    thresholds: watch.statuses.filter(({ level }) => level !== 'below'),
    accountLacks: lacks && lacks.rights.length + lacks.events.length > 0 ? lacks : null,
    leftOutFields: leftOut.filter((field) => isStillSent(field, now)),
  };
}

const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * dayMs).toISOString();

/**
 * Whether the merchant can still do something about a mail. After a bounce, the mail of a purchase can be sent to a
 * corrected address. The mail of a credit note cannot.
 */
const canBeMended = ({ id, paymentId, why }: Attention['unsent'][number]): boolean =>
  why === 'refused' || id === paymentId;

const hasSucceeded = ({ status }: { status: string }): boolean => status === 'succeeded';

const failing = ({ endpoints, health }: Awaited<ReturnType<WebhookStore['allWithHealth']>>) =>
  endpoints.filter(({ id, disabled }) =>
    disabled ? disabled.reason !== 'merchant' : (health.get(id)?.exhausted ?? 0) > 0,
  );

const endsSoon = (key: ApiKey, now: Date): boolean =>
  isInUse(key, now.toISOString()) &&
  key.expiresAt !== null &&
  Date.parse(key.expiresAt) - now.getTime() < keyDays * dayMs;

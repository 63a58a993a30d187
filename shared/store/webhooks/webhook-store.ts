import * as z from 'zod';
import { daySeconds } from '../../domain/duration.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import type { WebhookHealth } from '../../domain/webhooks/webhook-health.ts';
import type { Notice } from '../../events/notices.ts';
import { recordWrite } from '../access/audit-store.ts';
import { noticeWrite } from '../events/notice-row.ts';
import { keys } from '../keys.ts';
import { queryPartition, queryPrefix } from '../table/query.ts';
import { findItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifVersion, versionedWrite } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';
import { healthIn } from './webhook-health-store.ts';

/**
 * The number of endpoints, with a version. So two requests at the same time cannot both create the last allowed
 * endpoint.
 */
const EndpointCount = z.object({ count: z.int(), version: z.int() });
type EndpointCount = z.infer<typeof EndpointCount>;

export interface WebhookStore {
  get(id: string): Promise<WebhookEndpoint>;
  /** Lists all endpoints, oldest first. */
  all(): Promise<WebhookEndpoint[]>;
  /** Lists all endpoints with their health by id, in one read. A healthy endpoint may have no entry. */
  allWithHealth(): Promise<{ endpoints: WebhookEndpoint[]; health: Map<string, WebhookHealth> }>;
  /** The ids of all endpoints, including removed ones that may still have deliveries. */
  ids(): Promise<string[]>;
  count(): Promise<EndpointCount>;
  create(endpoint: WebhookEndpoint, count: EndpointCount, records: readonly CommandRecord[]): Promise<void>;
  save(endpoint: WebhookEndpoint, records: readonly CommandRecord[]): Promise<void>;
  /** Saves an endpoint that the service has disabled, with the notice about it. */
  disable(endpoint: WebhookEndpoint, notice: Notice): Promise<void>;
  remove(endpoint: WebhookEndpoint, count: EndpointCount, records: readonly CommandRecord[]): Promise<void>;
}

/**
 * For how many days the row of a removed endpoint stays, without its secret. By then, its last retry was due and was
 * cancelled.
 */
const removedDays = 4;

const stale = () => new StaleVersion();

const endpointWrite = (endpoint: WebhookEndpoint): Write =>
  versionedWrite(endpoint, { ...keys.webhook(endpoint.id), entity: 'WEBHOOK' }, stale);

/** Replaces the endpoint with an empty row. So removing needs no extra permission. */
const removal = ({ id, version, updatedAt }: WebhookEndpoint): Write => ({
  put: {
    ...keys.webhook(id),
    entity: 'WEBHOOK',
    ttl: Math.floor(Date.parse(updatedAt) / 1_000) + removedDays * daySeconds,
  },
  condition: ifVersion(version),
  refusal: stale,
});

const countWrite = ({ count, version }: EndpointCount, change: 1 | -1): Write =>
  versionedWrite({ count: count + change, version }, { ...keys.webhookCount(), entity: 'WEBHOOK' }, stale);

const parseEndpoint = (item: Item | undefined): WebhookEndpoint | undefined =>
  item?.['data'] === undefined ? undefined : WebhookEndpoint.parse(item['data']);

const isEndpoint = ({ sk }: Item): boolean => String(sk).startsWith(keys.webhook('').sk);

const endpointsIn = (rows: readonly Item[]): WebhookEndpoint[] =>
  rows.flatMap((item) => parseEndpoint(item) ?? []).sort(byAge);

const byAge = (a: WebhookEndpoint, b: WebhookEndpoint): number =>
  `${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? -1 : 1;

export function webhookStore(table: Table): WebhookStore {
  return {
    get: async (id) => {
      const endpoint = parseEndpoint(await findItem(table, keys.webhook(id)));
      if (!endpoint) throw notFound('webhook endpoint', id);
      return endpoint;
    },
    all: async () => endpointsIn(await readEndpoints(table)),
    allWithHealth: async () => {
      const rows = await queryPartition(table, keys.webhook('').pk);
      return { endpoints: endpointsIn(rows.filter(isEndpoint)), health: healthIn(rows) };
    },
    ids: async () => (await readEndpoints(table)).map(({ sk }) => String(sk).slice(keys.webhook('').sk.length)),
    count: async () => {
      const item = await findItem(table, keys.webhookCount());
      return item ? EndpointCount.parse(item['data']) : { count: 0, version: 0 };
    },
    create: (endpoint, count, records) =>
      commit(table, [...records.map(recordWrite), countWrite(count, 1), endpointWrite(endpoint)]),
    save: (endpoint, records) => commit(table, [...records.map(recordWrite), endpointWrite(endpoint)]),
    disable: (endpoint, notice) => commit(table, [endpointWrite(endpoint), noticeWrite(notice)]),
    remove: (endpoint, count, records) =>
      commit(table, [...records.map(recordWrite), countWrite(count, -1), removal(endpoint)]),
  };
}

const readEndpoints = (table: Table): Promise<Item[]> => queryPrefix(table, keys.webhook(''));

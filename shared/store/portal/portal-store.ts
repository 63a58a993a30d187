import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dayMs } from '../../domain/duration.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { ErasureRequest } from '../../domain/portal/erasure-request.ts';
import { PortalLink, PortalSession } from '../../domain/portal/portal-access.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, type RowKey, timeKey } from '../keys.ts';
import { toUnavailable } from '../table/errors.ts';
import { listPage } from '../table/list.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

export interface PortalStore {
  findLink(hash: string): Promise<PortalLink | undefined>;
  saveLink(link: PortalLink, records?: readonly CommandRecord[]): Promise<void>;
  /** Uses up a link and begins a session. @throws StaleVersion if the link changed since it was read */
  enter(link: PortalLink, session: PortalSession): Promise<void>;
  findSession(hash: string): Promise<PortalSession | undefined>;
  saveSession(session: PortalSession): Promise<void>;
  /** Stores a request for erasure. If there is already one since the last erasure, that one is kept. */
  saveErasureRequest(request: ErasureRequest, lastErasure: string | undefined): Promise<void>;
  /** All requests for erasure in the list. */
  listErasureRequests(): Promise<ErasureRequest[]>;
  /** Removes a request from the list, because the merchant has started the erasure. Does nothing if there is none. */
  closeErasureRequest(customerId: string, lastErasure: string | undefined, now: Date): Promise<void>;
}

const entity = 'PORTAL';
const ttlOf = ({ expiresAt }: { expiresAt: string }): number => Math.floor(Date.parse(expiresAt) / 1_000);

const linkWrite = (link: PortalLink): Write =>
  versionedWrite(link, { ...keys.portalLink(link.hash), entity, ttl: ttlOf(link) }, () => new StaleVersion());

const sessionWrite = (session: PortalSession): Write => ({
  put: { ...keys.portalSession(session.hash), entity, data: session, ttl: ttlOf(session) },
  refusal: () => new Error('A session of the portal is written without a condition.'),
});

const portionSize = 500;
/** For how many days a request is kept after the merchant has started the erasure. */
const keptDays = 90;

const erasureWrite = (request: ErasureRequest, lastErasure = ''): Write => ({
  put: {
    ...keys.erasureRequest(request.customerId, lastErasure),
    entity,
    data: request,
    row: request,
    listPk: entity,
    listSk: timeKey(request.requestedAt, request.customerId),
  },
  condition: ifAbsent,
  refusal: () => new StaleVersion(),
});

export const portalStore = (table: Table): PortalStore => ({
  findLink: (hash) => findData(table, keys.portalLink(hash), PortalLink),
  saveLink: (link, records = []) => commit(table, [...records.map(recordWrite), linkWrite(link)]),
  enter: (link, session) => commit(table, [linkWrite(link), sessionWrite(session)]),
  findSession: (hash) => findData(table, keys.portalSession(hash), PortalSession),
  saveSession: (session) => commit(table, [sessionWrite(session)]),
  saveErasureRequest: async (request, lastErasure) => {
    try {
      await commit(table, [erasureWrite(request, lastErasure)]);
    } catch (error) {
      if (!(error instanceof StaleVersion)) throw error;
    }
  },
  listErasureRequests: async () => {
    const found: ErasureRequest[] = [];
    let after: string | undefined;
    do {
      const page = { size: portionSize, skip: 0, after };
      const listed = await listPage(table, { index: 'list', partition: entity, page, row: ErasureRequest });
      found.push(...listed.items);
      after = listed.hasMore ? listed.last : undefined;
    } while (after !== undefined);
    return found;
  },
  closeErasureRequest: (customerId, lastErasure = '', now) =>
    close(table, keys.erasureRequest(customerId, lastErasure), now),
});

async function close(table: Table, key: RowKey, now: Date): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: key,
    UpdateExpression: 'SET #ttl = :ttl REMOVE listPk, listSk',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': Math.floor((now.getTime() + keptDays * dayMs) / 1_000) },
  });
  await table.client.send(update).catch((error: unknown) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw toUnavailable(error);
  });
}

import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { PortalLink, PortalSession } from '../../domain/portal/portal-access.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

export interface PortalStore {
  findLink(hash: string): Promise<PortalLink | undefined>;
  saveLink(link: PortalLink, records?: readonly CommandRecord[]): Promise<void>;
  /** Uses up a link and begins a session. @throws StaleVersion if the link changed since it was read */
  enter(link: PortalLink, session: PortalSession): Promise<void>;
  findSession(hash: string): Promise<PortalSession | undefined>;
  saveSession(session: PortalSession): Promise<void>;
}

const entity = 'PORTAL';
const ttlOf = ({ expiresAt }: { expiresAt: string }): number => Math.floor(Date.parse(expiresAt) / 1_000);

const linkWrite = (link: PortalLink): Write =>
  versionedWrite(link, { ...keys.portalLink(link.hash), entity, ttl: ttlOf(link) }, () => new StaleVersion());

const sessionWrite = (session: PortalSession): Write => ({
  put: { ...keys.portalSession(session.hash), entity, data: session, ttl: ttlOf(session) },
  refusal: () => new Error('A session of the portal is written without a condition.'),
});

export const portalStore = (table: Table): PortalStore => ({
  findLink: (hash) => findData(table, keys.portalLink(hash), PortalLink),
  saveLink: (link, records = []) => commit(table, [...records.map(recordWrite), linkWrite(link)]),
  enter: (link, session) => commit(table, [linkWrite(link), sessionWrite(session)]),
  findSession: (hash) => findData(table, keys.portalSession(hash), PortalSession),
  saveSession: (session) => commit(table, [sessionWrite(session)]),
});

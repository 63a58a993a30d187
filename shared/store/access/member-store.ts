import type { ApiKey } from '../../domain/access/api-key.ts';
import type { ApiKeyList } from '../../domain/access/api-key-list.ts';
import { MemberList } from '../../domain/access/member-list.ts';
import type { SignIn } from '../../domain/access/sign-in.ts';
import { SignInLink } from '../../domain/access/sign-in-link.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { apiKeyWrites } from './api-key-store.ts';
import { recordWrite } from './audit-store.ts';
import { signInWrite } from './sign-in-store.ts';

export interface MemberStore {
  list(): Promise<MemberList>;
  /** Saves the list. Throws StaleVersion if it changed since it was read. */
  save(list: MemberList, records: readonly CommandRecord[]): Promise<void>;
  /**
   * Saves the list after a member is removed. It also writes the list of keys, so that the member cannot create a key
   * in between.
   */
  saveRemoval(
    list: MemberList,
    keys: { before: ApiKeyList; revoked: readonly ApiKey[] },
    records: readonly CommandRecord[],
  ): Promise<void>;
  findLink(hash: string): Promise<SignInLink | undefined>;
  saveLink(link: SignInLink): Promise<void>;
  /**
   * Uses up a link and begins a session. If the list of members is given, it is written too.
   * @throws StaleVersion if the link or the list changed since it was read
   */
  beginSession(
    change: { link: SignInLink; signIn: SignIn; list: MemberList | undefined },
    records: readonly CommandRecord[],
  ): Promise<void>;
}

const stale = () => new StaleVersion();

const listWrite = (list: MemberList): Write => versionedWrite(list, { ...keys.members(), entity: 'MEMBER' }, stale);

const linkWrite = (link: SignInLink): Write =>
  versionedWrite(
    link,
    { ...keys.signInLink(link.hash), entity: 'LINK', ttl: Math.floor(Date.parse(link.expiresAt) / 1_000) },
    stale,
  );

export const memberStore = (table: Table): MemberStore => ({
  list: async () => (await findData(table, keys.members(), MemberList)) ?? { members: [], version: 0 },
  save: (list, records) => commit(table, [...records.map(recordWrite), listWrite(list)]),
  saveRemoval: (list, { before, revoked }, records) =>
    commit(table, [...records.map(recordWrite), listWrite(list), ...apiKeyWrites(before, revoked)]),
  findLink: (hash) => findData(table, keys.signInLink(hash), SignInLink),
  saveLink: (link) => commit(table, [linkWrite(link)]),
  beginSession: ({ link, signIn, list }, records) =>
    commit(table, [
      ...records.map(recordWrite),
      linkWrite(link),
      signInWrite(signIn),
      ...(list ? [listWrite(list)] : []),
    ]),
});

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Grant } from '../../domain/entitlements/grant.ts';
import type { Activation, LicenseKey } from '../../domain/entitlements/license-key.ts';
import type { PoolChange } from '../../domain/entitlements/pool.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { recordWrite } from '../access/audit-store.ts';
import { eventWrite } from '../events/event-store.ts';
import { grantsDuePartition, keys, timeKey } from '../keys.ts';
import { toUnavailable } from '../table/errors.ts';
import { listPage } from '../table/list.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { endActivationWrite, licenseKeyWrites } from './license-key-store.ts';
import { poolWrites } from './pool-store.ts';

/** The next state of a grant, and everything that is written in the same transaction. */
interface GrantCommit {
  grant: Grant;
  licenseKey?: LicenseKey | undefined;
  /** The change of the grant's pool of codes; absent if the pool does not change. */
  pool?: PoolChange | undefined;
  /** The key that is replaced, and its devices, which end with it. */
  replaced?: { key: LicenseKey; activations: readonly Activation[]; at: string };
  events?: readonly DomainEvent[];
  records?: readonly CommandRecord[];
  /** The version of the payment that decided this change. The commit fails if the payment has a newer version. */
  decidedBy?: { paymentId: string; version: number };
  /** When the sweep checks the payment's grants again, if this change leaves some work to it. */
  dueAt?: string;
}

interface GrantFilter {
  /** Whose grants: those of an entitlement, or of a customer. */
  of: { entitlementId: string } | { customerId: string };
  matches?: ((grant: Grant) => boolean) | undefined;
}

export interface GrantStore {
  find(id: string): Promise<Grant | undefined>;
  get(id: string): Promise<Grant>;
  /** Reads grants in one call. */
  findMany(ids: readonly string[]): Promise<Map<string, Grant>>;
  list(filter: GrantFilter, page: ItemPageRequest): Promise<ItemPage<Grant>>;
  save(change: GrantCommit): Promise<void>;
  /** Removes the duty row of a payment's grants, unless the payment has changed since it was read. */
  endDuty(payment: { id: string; version: number }): Promise<void>;
}

const partitionOf = (of: GrantFilter['of']) =>
  'entitlementId' in of
    ? ({ index: 'list', partition: `GRANT#${of.entitlementId}` } as const)
    : ({ index: 'customer', partition: `CUSTOMER#${of.customerId}#GRANT` } as const);

export const grantWrite = (grant: Grant): Write => {
  const at = timeKey(grant.createdAt, grant.id);
  const listed = partitionOf({ entitlementId: grant.entitlementId });
  const ofCustomer = partitionOf({ customerId: grant.customerId });
  const row = { row: grant, listPk: listed.partition, listSk: at, customerPk: ofCustomer.partition, customerSk: at };
  return versionedWrite(grant, { ...keys.grant(grant.id), entity: 'GRANT', ...row }, () => new StaleVersion());
};

/** The condition that the duty row has no newer version of the payment than the one that was read. */
const noNewerDuty = (version: number) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR version <= :version',
  ExpressionAttributeValues: { ':version': version },
});

/** Makes a commit fail that was decided by an older state of the payment. */
function unchangedDuty({ paymentId, version }: NonNullable<GrantCommit['decidedBy']>, dueAt?: string): Write {
  const { ConditionExpression, ExpressionAttributeValues } = noNewerDuty(version);
  const due = dueAt !== undefined && { ':duePk': grantsDuePartition, ':dueSk': timeKey(dueAt, paymentId) };
  return {
    update: {
      Key: keys.grantDuty(paymentId),
      UpdateExpression: due ? 'SET seen = :version, duePk = :duePk, dueSk = :dueSk' : 'SET seen = :version',
      ConditionExpression,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...due },
    },
    refusal: () => new StaleVersion(),
    contention: () => new StaleVersion(),
  };
}

/** Ends a key and its devices in the transaction in which the grant gets another key. */
const replacedWrites = ({ key, activations, at }: NonNullable<GrantCommit['replaced']>): Write[] => [
  ...licenseKeyWrites(key),
  ...activations.map((activation) => endActivationWrite(activation, at)),
];

/**
 * The store of grants.
 * @param freeze makes the bytes of an event's payload, only once, when the change is committed
 */
export function grantStore(table: Table, freeze: (event: DomainEvent) => string): GrantStore {
  const find = (id: string) => findData(table, keys.grant(id), Grant);
  return {
    find,
    get: async (id) => {
      const grant = await find(id);
      if (!grant) throw notFound('grant', id);
      return grant;
    },
    findMany: async (ids: readonly string[]) => {
      if (ids.length === 0) return new Map<string, Grant>();
      const item = await findItems(table, ids.map(keys.grant));
      const found = ids.flatMap((id) => {
        const row = item(keys.grant(id));
        return row ? [Grant.parse(row['data'])] : [];
      });
      return new Map(found.map((grant) => [grant.id, grant]));
    },
    list: ({ of, matches }, page) => listPage(table, { ...partitionOf(of), matches, page, row: Grant }),
    save: ({ grant, licenseKey, pool, replaced, events = [], records = [], decidedBy, dueAt }) =>
      commit(table, [
        ...records.map(recordWrite),
        grantWrite(grant),
        ...(decidedBy ? [unchangedDuty(decidedBy, dueAt)] : []),
        ...(licenseKey ? licenseKeyWrites(licenseKey) : []),
        ...(replaced ? replacedWrites(replaced) : []),
        ...(pool ? poolWrites(pool, grant) : []),
        ...events.map((event) => eventWrite(event, freeze(event))),
      ]),
    endDuty: async ({ id, version }) => {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys.grantDuty(id),
        UpdateExpression: 'SET seen = :version REMOVE duePk, dueSk',
        ...noNewerDuty(version),
      });
      await table.client.send(update).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw toUnavailable(error);
      });
    },
  };
}

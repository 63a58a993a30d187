import { dayMs } from '../../domain/duration.ts';
import { Activation, keyHashOf, LicenseKey, storedTextsOf } from '../../domain/entitlements/license-key.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

export interface LicenseKeyFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
  matches?: ((key: LicenseKey) => boolean) | undefined;
  keeps?: ((keys: readonly LicenseKey[]) => Promise<readonly LicenseKey[]>) | undefined;
}

export interface LicenseKeyStore {
  find(id: string): Promise<LicenseKey | undefined>;
  get(id: string): Promise<LicenseKey>;
  /**
   * Finds the key that a person or program entered. A key of the stack is found in any case and spacing, an imported
   * one only exactly.
   */
  findByText(entered: string): Promise<LicenseKey | undefined>;
  list(filter: LicenseKeyFilter, page: ItemPageRequest): Promise<ItemPage<LicenseKey>>;
  /** Saves the terms of a key, or a new key without a sale. */
  save(key: LicenseKey, records?: readonly CommandRecord[]): Promise<void>;
  /** Saves all of these new keys or none. Fails as outdated if one of their texts was used in between. */
  saveNew(added: readonly LicenseKey[], records: readonly CommandRecord[]): Promise<void>;
  findActivation(id: string): Promise<Activation | undefined>;
  getActivation(id: string): Promise<Activation>;
  /** Lists active devices: of one key, or of all. */
  listActivations(licenseKeyId: string | undefined, page: ItemPageRequest): Promise<ItemPage<Activation>>;
  /** Adds or ends an activation together with its key's count. */
  saveActivation(key: LicenseKey, activation: Activation, records?: readonly CommandRecord[]): Promise<void>;
  /** Renames an active device. */
  renameActivation(activation: Activation, records: readonly CommandRecord[]): Promise<void>;
}

const keyWrite = (key: LicenseKey): Write =>
  versionedWrite(
    key,
    {
      ...keys.licenseKey(key.id),
      entity: 'LICENSE',
      row: key,
      listPk: 'LICENSE',
      listSk: timeKey(key.createdAt, key.id),
      customerPk: `CUSTOMER#${key.customerId}#LICENSE`,
      customerSk: timeKey(key.createdAt, key.id),
    },
    () => new StaleVersion(),
  );

const isTaken = () =>
  new DomainError('LICENSE_KEY_ALREADY_EXISTS', 'Another licence key has this text. Every key has a text of its own.');

const hashWrite = (key: LicenseKey): Write => ({
  put: { ...keys.licenseKeyHash(keyHashOf(key.key)), entity: 'LICENSE', data: { licenseKeyId: key.id } },
  condition: ifAbsent,
  refusal: isTaken,
});

/**
 * Writes a key. A new key also reserves its text for ever, so that no other key can have it. Codes of a pool are not
 * found by their text, so two pools may contain the same one.
 */
export const licenseKeyWrites = (key: LicenseKey): Write[] =>
  key.version === 0 && !key.isPoolCode ? [hashWrite(key), keyWrite(key)] : [keyWrite(key)];

/** For how many days an ended activation is kept, so that it is not ended twice. The key has the total count. */
const endedDays = 30;

/** The write of an activation. An ended one leaves the lists, loses the device's name, and is removed later. */
function activationWrite(activation: Activation): Write {
  const { id, licenseKeyId, createdAt, endedAt } = activation;
  const ending = endedAt !== undefined && { ttl: Math.floor((Date.parse(endedAt) + endedDays * dayMs) / 1_000) };
  const listing = endedAt === undefined && {
    row: activation,
    listPk: 'LICENSE#ACTIVATION',
    listSk: timeKey(createdAt, id),
    customerPk: `LICENSE#${licenseKeyId}`,
    customerSk: timeKey(createdAt, id),
  };
  return {
    put: {
      ...keys.activation(id),
      entity: 'LICENSE',
      ...(listing || ending),
      data: endedAt === undefined ? activation : { ...activation, name: '' },
    },
    refusal: () => new StaleVersion(),
  };
}

const isActive = {
  ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#data.#endedAt)',
  ExpressionAttributeNames: { '#data': 'data', '#endedAt': 'endedAt' },
};

/** The write that ends an activation. Fails if it is not active. */
export const endActivationWrite = (activation: Activation, endedAt: string): Write => ({
  ...activationWrite({ ...activation, endedAt }),
  condition: isActive,
});

export function licenseKeyStore(table: Table): LicenseKeyStore {
  const find = (id: string) => findData(table, keys.licenseKey(id), LicenseKey);
  const findActivation = (id: string) => findData(table, keys.activation(id), Activation);
  return {
    find,
    get: async (id) => {
      const key = await find(id);
      if (!key) throw notFound('licence key', id);
      return key;
    },
    findByText: (entered) => findByText(table, entered),
    list: ({ customerId, ...filter }, page) => {
      const partition = customerId === undefined ? 'LICENSE' : `CUSTOMER#${customerId}#LICENSE`;
      const index = customerId === undefined ? 'list' : 'customer';
      return listPage(table, { index, partition, ...filter, page, row: LicenseKey });
    },
    save: (key, records = []) => commit(table, [...records.map(recordWrite), ...licenseKeyWrites(key)]),
    saveNew: (added, records) => {
      const writes = added.flatMap(licenseKeyWrites).map((write) => ({ ...write, refusal: () => new StaleVersion() }));
      return commit(table, [...records.map(recordWrite), ...writes]);
    },
    findActivation,
    getActivation: async (id) => {
      const activation = await findActivation(id);
      if (!activation || activation.endedAt !== undefined) throw notFound('licence key instance', id);
      return activation;
    },
    listActivations: (licenseKeyId, page) => {
      const partition = licenseKeyId === undefined ? 'LICENSE#ACTIVATION' : `LICENSE#${licenseKeyId}`;
      return listPage(table, {
        index: licenseKeyId === undefined ? 'list' : 'customer',
        partition,
        page,
        row: Activation,
      });
    },
    saveActivation: (key, activation, records = []) => {
      const condition = activation.endedAt === undefined ? ifAbsent : isActive;
      return commit(table, [...records.map(recordWrite), keyWrite(key), { ...activationWrite(activation), condition }]);
    },
    renameActivation: (activation, records) =>
      commit(table, [...records.map(recordWrite), { ...activationWrite(activation), condition: isActive }]),
  };
}

async function findByText(table: Table, entered: string): Promise<LicenseKey | undefined> {
  const hashes = storedTextsOf(entered).map((text) => keys.licenseKeyHash(keyHashOf(text)));
  const item = await findItems(table, hashes);
  const ids = hashes.flatMap(
    (key) => (item(key)?.['data'] as { licenseKeyId?: string } | undefined)?.licenseKeyId ?? [],
  );
  const [id] = ids;
  return id === undefined ? undefined : findData(table, keys.licenseKey(id), LicenseKey);
}

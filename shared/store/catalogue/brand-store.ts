import { type Brand, Brands } from '../../domain/catalogue/brand.ts';
import { Policies, PolicyLog, PolicyVersion } from '../../domain/catalogue/policies.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { LanguageWords } from '../../domain/orders/own-words.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, type RowKey } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { RowPut } from '../table/write.ts';

export interface BrandStore {
  /** All brands. The primary one is always included, even before its first change. */
  get(): Promise<Brands>;
  save(brands: Brands, records: readonly CommandRecord[]): Promise<void>;
  /** The texts in the row that version 0.2.0 also reads and writes. */
  policies(): Promise<Policies>;
  policyLog(): Promise<PolicyLog>;
  /** A text by its hash. */
  policyText(hash: string): Promise<PolicyVersion | undefined>;
  /**
   * Publishes texts. It writes the new versions, the log, the texts for 0.2.0, and the current versions in the row of
   * brands.
   */
  savePolicies(changed: ChangedPolicies, records: readonly CommandRecord[]): Promise<void>;
  /** The merchant's own words for mails in a language. */
  mailWords(language: string): Promise<LanguageWords>;
  /** Saves the words of one language, and in the row of brands which languages have own words. */
  saveMailWords(changed: ChangedMailWords, records: readonly CommandRecord[]): Promise<void>;
}

interface ChangedMailWords {
  language: string;
  words: LanguageWords;
  brands: Brands;
}

export interface ChangedPolicies {
  versions: readonly PolicyVersion[];
  log: PolicyLog;
  policies: Policies;
  brands: Brands;
}

const stale = () => new StaleVersion();

const rowOf = (key: RowKey) => ({ ...key, entity: 'BRAND' });

const brandsWrite = (brands: Brands) => versionedWrite(brands, rowOf(keys.brands()), stale);

/**
 * Writes a text, which is written only once. The log names every text, so a writer that knows the log does not write it
 * again.
 */
const versionWrite = (version: PolicyVersion): RowPut => ({
  put: { ...rowOf(keys.policyVersion(version.hash)), data: version },
  condition: ifAbsent,
  refusal: stale,
});

export function brandStore(table: Table, primary: Brand): BrandStore {
  return {
    get: async () => {
      const all: Brands = (await findData(table, keys.brands(), Brands)) ?? { brands: [], version: 0 };
      const isStored = all.brands.some(({ id }) => id === primary.id);
      return isStored ? all : { ...all, brands: [primary, ...all.brands] };
    },
    save: (brands, records) => commit(table, [...records.map(recordWrite), brandsWrite(brands)]),
    policies: async () => (await findData(table, keys.policies(), Policies)) ?? { texts: {}, version: 0 },
    policyLog: async () => (await findData(table, keys.policyLog(), PolicyLog)) ?? { publications: [], version: 0 },
    policyText: (hash) => findData(table, keys.policyVersion(hash), PolicyVersion),
    savePolicies: ({ versions, log, policies, brands }, records) =>
      commit(table, [
        ...records.map(recordWrite),
        brandsWrite(brands),
        versionedWrite(log, rowOf(keys.policyLog()), stale),
        versionedWrite(policies, rowOf(keys.policies()), stale),
        ...versions.map(versionWrite),
      ]),
    mailWords: async (language) => (await findData(table, keys.mailWords(language), LanguageWords)) ?? { version: 0 },
    saveMailWords: ({ language, words, brands }, records) =>
      commit(table, [
        ...records.map(recordWrite),
        brandsWrite(brands),
        versionedWrite(words, rowOf(keys.mailWords(language)), stale),
      ]),
  };
}

import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type {
  EntitlementConfig,
  EntitlementFile,
  FeatureConfig,
  FilesConfig,
  LicenseKeyConfig,
} from './entitlement.ts';
import type { EntitlementType } from './line-entitlement.ts';

/** The sent fields of a configuration. A missing field keeps its value, `null` clears it. */
export interface ConfigFields {
  /** The ids of the entitlement's files, in their new order. Files that are left out are removed. */
  fileIds?: string[] | undefined;
  url?: string | null | undefined;
  instructions?: string | null | undefined;
  /** How often a buyer can download each file; null: without limit. */
  downloadsLimit?: number | null | undefined;
  /** New names of files, by their ids. */
  fileNames?: Readonly<Record<string, string>> | undefined;
  activationMessage?: string | null | undefined;
  activationsLimit?: number | null | undefined;
  validityCount?: number | null | undefined;
  validityUnit?: NonNullable<LicenseKeyConfig['validity']>['unit'] | null | undefined;
  fulfillment?: 'auto' | 'manual' | null | undefined;
  isPool?: boolean | undefined;
  featureId?: string | undefined;
  featureType?: 'boolean' | undefined;
}

/** The fields of each type, with their paths in requests. */
const paths: Readonly<Record<EntitlementType, Partial<Record<keyof ConfigFields, string>>>> = {
  digital_files: {
    fileIds: 'digital_file_ids',
    fileNames: 'file_names',
    url: 'external_url',
    instructions: 'instructions',
    downloadsLimit: 'downloads_limit',
  },
  license_key: {
    activationMessage: 'activation_message',
    activationsLimit: 'activations_limit',
    validityCount: 'duration_count',
    validityUnit: 'duration_interval',
    fulfillment: 'fulfillment_mode',
    isPool: 'pool',
  },
  feature_flag: { featureId: 'feature_id', featureType: 'feature_type' },
};

const pathOf = (field: string): string => `integration_config.${field}`;

/** Makes the configuration of a new entitlement. */
export function newConfig(type: EntitlementType, fields: ConfigFields): EntitlementConfig {
  assertFits(type, fields);
  switch (type) {
    case 'digital_files':
      return filesConfig({ type, files: [], url: null, instructions: null }, fields);
    case 'license_key':
      return licenseKeyConfig(usualKeys, fields);
    case 'feature_flag':
      if (fields.featureId === undefined)
        throw refuse('INVALID_REQUEST_BODY', pathOf('feature_id'), brokenRule(sentences.required));
      return { type, featureId: fields.featureId };
  }
}

/** The default configuration of licence keys: the stack makes them, without a limit and without an end. */
const usualKeys: LicenseKeyConfig = {
  type: 'license_key',
  activationMessage: null,
  activationsLimit: null,
  validity: null,
  fulfillment: 'auto',
};

/** Changes the named fields of a configuration. Its type stays. */
export function changeConfig(config: EntitlementConfig, fields: ConfigFields): EntitlementConfig {
  assertFits(config.type, fields);
  switch (config.type) {
    case 'digital_files':
      return filesConfig(config, fields);
    case 'license_key':
      return licenseKeyConfig(config, fields);
    case 'feature_flag':
      return featureConfig(config, fields);
  }
}

/** Refuses a field that belongs to another type of entitlement. */
function assertFits(type: EntitlementType, fields: ConfigFields): void {
  const known = paths[type];
  const stray = Object.entries(fields).find(([name, value]) => value !== undefined && !(name in known));
  if (!stray) return;
  const all: Record<string, string> = Object.assign({}, ...Object.values(paths));
  throw refuse('INVALID_REQUEST_BODY', pathOf(all[stray[0]] ?? stray[0]), brokenRule(sentences.config_field, { type }));
}

function filesConfig(config: FilesConfig, fields: ConfigFields): FilesConfig {
  const { fileIds, fileNames = {}, url, instructions, downloadsLimit } = fields;
  const files = renamedFiles(fileIds ? chosenFiles(config.files, fileIds) : config.files, fileNames);
  return {
    ...config,
    files,
    ...(downloadsLimit !== undefined && { downloadsLimit }),
    ...(url !== undefined && { url }),
    ...(instructions !== undefined && { instructions }),
  };
}

/** The files with new names. Refuses the name of a file that the entitlement does not have. */
function renamedFiles(files: readonly EntitlementFile[], names: Readonly<Record<string, string>>): EntitlementFile[] {
  const unknown = Object.keys(names).find((id) => files.every((file) => file.id !== id));
  if (unknown !== undefined)
    throw refuse('INVALID_REQUEST_PARAMETERS', pathOf('file_names'), brokenRule(sentences.entitlement_file));
  const named = new Map(Object.entries(names));
  return files.map((file) => ({ ...file, name: named.get(file.id) ?? file.name }));
}

/**
 * The files in the order of the ids. Refuses a file that the entitlement does not have. A file whose upload has not
 * arrived yet is kept even if its id is missing, because answers do not show such a file.
 */
function chosenFiles(files: readonly EntitlementFile[], ids: readonly string[]): EntitlementFile[] {
  const known = new Map(files.map((file) => [file.id, file]));
  const chosen = [...new Set(ids)].map((id) => {
    const file = known.get(id);
    if (file) return file;
    const path = pathOf(`digital_file_ids[${ids.indexOf(id)}]`);
    throw refuse('INVALID_REQUEST_PARAMETERS', path, brokenRule(sentences.entitlement_file));
  });
  return [...chosen, ...files.filter(({ id, isReady }) => !isReady && !ids.includes(id))];
}

function licenseKeyConfig(config: LicenseKeyConfig, fields: ConfigFields): LicenseKeyConfig {
  const { activationMessage, activationsLimit } = fields;
  return {
    ...config,
    ...(activationMessage !== undefined && { activationMessage }),
    ...(activationsLimit !== undefined && { activationsLimit }),
    validity: validityOf(config.validity, fields),
    fulfillment: fulfillmentOf(config.fulfillment, fields),
  };
}

function validityOf(
  validity: LicenseKeyConfig['validity'],
  { validityCount: count = validity?.count, validityUnit: unit = validity?.unit }: ConfigFields,
): LicenseKeyConfig['validity'] {
  if (count && unit) return { count, unit };
  if (!count && !unit) return null;
  throw refuse('INVALID_REQUEST_PARAMETERS', pathOf(count ? 'duration_interval' : 'duration_count'), wholeDuration);
}

const wholeDuration = brokenRule(sentences.key_duration);

/**
 * How keys are supplied after a change. A pool cannot be filled automatically. `fulfillment_mode: auto` without a pool
 * ends the pool.
 */
function fulfillmentOf(
  before: LicenseKeyConfig['fulfillment'],
  { fulfillment, isPool }: ConfigFields,
): LicenseKeyConfig['fulfillment'] {
  if (isPool && fulfillment === 'auto')
    throw refuse('INVALID_REQUEST_PARAMETERS', pathOf('fulfillment_mode'), brokenRule(sentences.pool_by_hand));
  if (isPool || (isPool === undefined && before === 'pool' && fulfillment !== 'auto')) return 'pool';
  const kept = before === 'pool' ? 'manual' : before;
  return fulfillment === null ? 'auto' : (fulfillment ?? kept);
}

const featureConfig = (config: FeatureConfig, { featureId }: ConfigFields): FeatureConfig => ({
  ...config,
  ...(featureId !== undefined && { featureId }),
});

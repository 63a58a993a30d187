import {
  type Entitlement,
  type EntitlementConfig,
  usualAccessRules,
  validityUnits,
} from '../../domain/entitlements/entitlement.ts';
import type { EntitlementType } from '../../domain/entitlements/line-entitlement.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import {
  type Entry,
  type Filled,
  hiddenField,
  type Json,
  jsonOf,
  refusedEntries,
  shownTexts,
  type Typed,
} from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { type AddedKind, typeOfKind } from './entitlement-kinds.ts';

const { check, select, text, textArea } = kindsOf(dashboardTexts('entitlements'));

const isOf = (type: EntitlementType) => ({ applies: (typed: Typed) => typed['integration_type'] === type });
const files = isOf('digital_files');
const keys = isOf('license_key');
/**
 * The fields of licence keys, which programs check. A code of a pool has no such fields, because it is not checked
 * here.
 */
const checked = {
  applies: (typed: Typed) => typed['integration_type'] === 'license_key' && typed['pool'] !== 'true',
};

/** A field for a whole number. Empty means that there is no limit. */
const wholeNumber = (
  name: string,
  path: string,
  { label, ...type }: ReturnType<typeof isOf> & { label: TextKey<'entitlements'> },
): Entry => ({
  ...text(name, path, { ...type, label, maxLength: 12, isCode: true }),
  read: (typed, filled) => {
    if (typed === '') return { value: null };
    if (/^[1-9]\d{0,8}$/.test(typed)) return { value: Number(typed) };
    return { value: null, fault: textsOf(dashboardTexts('entitlements'), filled)('fault.number') };
  },
});

/** The fields of an entitlement. Its type decides which of them a form has. */
export const entitlementEntries = {
  type: { ...text('integration_type', 'integration_type', { label: 'field.name', maxLength: 40 }), draw: hiddenField },
  pool: {
    ...text('pool', 'integration_config.pool', { ...keys, label: 'field.name', maxLength: 5 }),
    read: (typed) => ({ value: typed === 'true' ? true : undefined }),
    draw: hiddenField,
  },
  name: text('name', 'name', { label: 'field.name', maxLength: 100, isRequired: true }),
  instructions: textArea('instructions', 'integration_config.instructions', {
    ...{ ...files, label: 'field.instructions', maxLength: 1_000 },
  }),
  url: text('external_url', 'integration_config.external_url', {
    ...{ ...files, label: 'field.url', maxLength: 2_000, isCode: true },
  }),
  downloads: wholeNumber('downloads_limit', 'integration_config.downloads_limit', {
    ...{ ...files, label: 'field.downloads' },
  }),
  limit: wholeNumber('activations_limit', 'integration_config.activations_limit', { ...checked, label: 'field.limit' }),
  validFor: wholeNumber('duration_count', 'integration_config.duration_count', { ...checked, label: 'field.validFor' }),
  unit: {
    ...select('duration_interval', 'integration_config.duration_interval', {
      ...{ ...checked, label: 'field.unit' },
      options: (t) => validityUnits.map((value) => ({ value, label: t(`unit.${value}`) })),
    }),
    read: (typed, filled) => ({ value: filled.typed['duration_count'] === '' ? null : typed }),
  },
  message: textArea('activation_message', 'integration_config.activation_message', {
    ...{ ...keys, label: 'field.message', maxLength: 2_500 },
  }),
  featureId: text('feature_id', 'integration_config.feature_id', {
    ...{ ...isOf('feature_flag'), label: 'field.featureId', maxLength: 200, isCode: true, isRequired: true },
  }),
  endsByRefund: check('full_refund_revokes', 'access.full_refund_revokes', { label: 'access.refund' }),
  pausesByDispute: check('chargeback_suspends', 'access.chargeback_suspends', { label: 'access.dispute' }),
  endsByLoss: check('lost_dispute_revokes', 'access.lost_dispute_revokes', { label: 'access.loss' }),
} as const satisfies Readonly<Record<string, Entry>>;

/** The settings of an entitlement, under the names of the input fields. */
function inputFieldsOf(config: EntitlementConfig): Json {
  switch (config.type) {
    case 'digital_files':
      return {
        external_url: config.url,
        instructions: config.instructions,
        downloads_limit: config.downloadsLimit,
      };
    case 'license_key':
      return {
        pool: config.fulfillment === 'pool' ? 'true' : null,
        activation_message: config.activationMessage,
        activations_limit: config.activationsLimit,
        duration_count: config.validity?.count,
        duration_interval: config.validity?.unit,
      };
    case 'feature_flag':
      return { feature_id: config.featureId };
  }
}

const accessFields = ({ endsByRefund, pausesByDispute, endsByLoss }: Entitlement['access']): Json => ({
  full_refund_revokes: endsByRefund,
  chargeback_suspends: pausesByDispute,
  lost_dispute_revokes: endsByLoss,
});

export function textsOfEntitlement({ name, config, access }: Entitlement, locale: Locale): Typed {
  const json = { name, integration_type: config.type, integration_config: inputFieldsOf(config) };
  return shownTexts(entitlementEntries, { ...json, access: accessFields(access) }, locale);
}

/** The texts in the form of a new entitlement. Its name is that of its product. */
export const newEntitlementTexts = (kind: AddedKind, name: string, locale: Locale): Typed => {
  const config = { integration_config: kind === 'codes' ? { pool: 'true' } : {} };
  const json = { name, integration_type: typeOfKind[kind], ...config, access: accessFields(usualAccessRules) };
  return shownTexts(entitlementEntries, json, locale);
};

/** The body of an API call from the form, and the fields that could not be read. */
export const entitlementJson = (filled: Filled) => jsonOf(entitlementEntries, filled, { integration_config: {} });

export const entitlementFaults = (refusal: DomainError, filled: Filled): FormFault[] =>
  refusedEntries(entitlementEntries, refusal, {
    ...filled,
    t: textsOf(dashboardTexts('entitlements'), filled, dashboardTexts('faults')),
  });

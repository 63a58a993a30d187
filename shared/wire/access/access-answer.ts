import * as z from 'zod';
import { accessLevels } from '../../domain/access/access.ts';
import { AuditEntry } from '../../domain/access/audit.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { taxabilities } from '../../tax/rates/rate-sheet.ts';
import {
  allOf,
  answeredId,
  countryText,
  currency,
  decimalText,
  instantText,
  pageOf,
  paidAmount,
  upTo,
} from '../answer-values.ts';

const ApiKey = z.strictObject({
  id: answeredId('key'),
  name: upTo(100),
  access: z.enum(accessLevels),
  may_refund: z.boolean(),
  daily_refund_limit: z.strictObject({ amount: paidAmount, currency }).nullable(),
  created_by: answeredId('key').nullable(),
  last_four: upTo(4),
  created_at: instantText,
  expires_at: instantText.nullable(),
  revoked_at: instantText.nullable(),
});

const AuditLogEntry = z.strictObject({
  id: answeredId('aud'),
  created_at: instantText,
  command: AuditEntry.shape.command,
  subject_id: upTo(100),
  details: z.record(z.string(), z.union([upTo(1_000), z.number(), z.boolean()])),
  by: z.strictObject({
    key_id: answeredId('key').nullable(),
    member_id: answeredId('mbr').nullable(),
    key_name: upTo(100),
    via: AuditEntry.shape.by.shape.via,
  }),
});

const validDay = z.iso.date();

const TaxRegistration = z.strictObject({
  id: answeredId('reg'),
  country: countryText,
  region: upTo(60).nullable(),
  scheme: z.enum(['standard', 'simplified', 'oss']),
  tax_id: upTo(50).nullable(),
  active_from: validDay,
  expires_at: validDay.nullable(),
  business_buyers: z.enum(['relieved', 'charged']).nullable(),
});

const TaxOverride = z.strictObject({
  id: answeredId('ovr'),
  country: countryText,
  region: upTo(60).nullable(),
  postal_code_prefix: upTo(12).nullable(),
  category: z.enum(taxCategories).nullable(),
  mode: z.enum(['replace', 'add']),
  taxability: z.enum(taxabilities),
  components: z
    .array(z.strictObject({ name: upTo(60), rate: decimalText, base_fraction: decimalText.nullable() }))
    .max(6),
  effective_from: validDay,
  effective_to: validDay.nullable(),
  reason: upTo(500),
  customer_id: answeredId('cus').nullable(),
  certificate: upTo(100).nullable(),
});

/** What the routes of keys, the audit log and tax rules answer, by the name in the contract. */
export const settingAnswers = {
  ApiKey,
  ApiKeyList: allOf(ApiKey),
  /** The key itself is in the first answer only. A repetition under the same Idempotency-Key says so. */
  NewApiKey: z.strictObject({ ...ApiKey.shape, key: upTo(100).nullable(), note: upTo(200).optional() }),
  AuditLogEntry,
  AuditLogPage: pageOf(AuditLogEntry),
  TaxRegistration,
  TaxRegistrationList: allOf(TaxRegistration),
  TaxOverride,
  TaxOverrideList: allOf(TaxOverride),
};

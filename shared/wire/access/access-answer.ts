import * as z from 'zod';
import { accessLevels } from '../../domain/access/access.ts';
import { AuditEntry } from '../../domain/access/audit.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { common } from '../answers/fields.ts';
import { allOf, answeredId, currency, decimalText, instantText, pageOf, paidAmount, upTo } from '../answers/values.ts';

const ApiKey = z.strictObject({
  id: answeredId('key').describe('The id.'),
  name: common.name,
  access: z
    .enum(accessLevels)
    .describe(
      'What the key may do: `read`, `write` (also reads) or `admin` (also manages keys, tax rules and webhook endpoints).',
    ),
  may_refund: z.boolean().describe('Whether the key may refund. By default, keys that write may.'),
  daily_refund_limit: z
    .strictObject({
      amount: paidAmount.describe('The most that the key refunds in one UTC day, in minor units.'),
      currency: currency.describe('The currency, ISO 4217.'),
    })
    .nullable()
    .describe('The most that the key refunds in one UTC day. Null: no limit.'),
  created_by: answeredId('key')
    .nullable()
    .describe('The id of the key that created this one; null where there is none.'),
  last_four: upTo(4).describe('The last four characters of the key, to recognize it.'),
  created_at: common.created_at,
  expires_at: common.expires_at,
  revoked_at: instantText.nullable().describe('When the key was revoked; null where it was not.'),
});

const AuditLogEntry = z.strictObject({
  id: answeredId('aud').describe('The id.'),
  created_at: common.created_at,
  command: AuditEntry.shape.command.describe('What was done.'),
  subject_id: upTo(100).describe('The id of the object.'),
  details: z
    .record(z.string(), z.union([upTo(1_000), z.number(), z.boolean()]))
    .describe('Short facts about the command: ids, amounts and field names.'),
  by: z
    .strictObject({
      key_id: answeredId('key').nullable().describe('The id of the key; null for an operator at the table.'),
      member_id: answeredId('mbr')
        .nullable()
        .describe('The id of the member of the dashboard who did it; null for a key and for the command line.'),
      key_name: upTo(100).describe('The name of the key, or the address of the member.'),
      via: AuditEntry.shape.by.shape.via.describe('How the command was given.'),
    })
    .describe('Who gave the command.'),
});

const validDay = z.iso.date();

const TaxRegistration = z.strictObject({
  id: answeredId('reg').describe('The id.'),
  country: common.country,
  region: common.region,
  scheme: z
    .enum(['standard', 'simplified', 'oss'])
    .describe('The kind of registration. `oss` is the EU’s One Stop Shop.'),
  tax_id: upTo(50).nullable().describe('The number of the registration, printed on documents.'),
  active_from: validDay.describe('The first day on which the registration counts, in the seller’s calendar.'),
  expires_at: validDay.nullable().describe('When it expires; null where it never does.'),
  business_buyers: z
    .enum(['relieved', 'charged'])
    .nullable()
    .describe(
      'How business buyers with a valid tax id are treated: `relieved` of the tax, or `charged`. Null: as the law of the place says.',
    ),
});

const TaxOverride = z.strictObject({
  id: answeredId('ovr').describe('The id.'),
  country: common.country,
  region: common.region,
  postal_code_prefix: upTo(12).nullable().describe('Limits the override to postal codes that begin like this.'),
  category: z.enum(taxCategories).nullable().describe('The tax category that the override is for. Null: all.'),
  mode: z.enum(['replace', 'add']).describe('Whether the components `replace` the known rates or `add` to them.'),
  taxability: common.taxability,
  components: z
    .array(
      z.strictObject({
        name: upTo(60).describe('The name of the tax, such as `VAT`.'),
        rate: decimalText.describe('The rate as a decimal string, such as `0.19` for 19 %.'),
        base_fraction: decimalText
          .nullable()
          .describe('The taxed part of the net, a decimal string: `1` nearly everywhere.'),
      }),
    )
    .max(6)
    .describe('The taxes of the line or row, in the order of printing.'),
  effective_from: validDay.describe('The first day on which it is valid.'),
  effective_to: validDay.nullable().describe('The first day on which it is no longer valid; null where it has no end.'),
  reason: upTo(500).describe('Why the override exists, for the books.'),
  customer_id: answeredId('cus')
    .nullable()
    .describe('The id of the customer. One normalized e-mail address is one customer.'),
  certificate: upTo(100).nullable().describe('The number of the customer’s exemption certificate.'),
});

/** The answers of the routes for keys, the audit log and tax rules, by their names in the contract. */
export const settingAnswers = {
  ApiKey,
  ApiKeyList: allOf(ApiKey, 'The keys.'),
  /**
   * A new key. Only the first answer contains the key itself. A repeated request with the same Idempotency-Key gets a
   * note instead.
   */
  NewApiKey: z.strictObject({
    ...ApiKey.shape,
    key: upTo(100).nullable().describe('The key itself, shown once; null in a repetition.'),
    note: upTo(200).optional().describe('A remark.'),
  }),
  AuditLogEntry,
  AuditLogPage: pageOf(AuditLogEntry),
  TaxRegistration,
  TaxRegistrationList: allOf(TaxRegistration, 'The registrations.'),
  TaxOverride,
  TaxOverrideList: allOf(TaxOverride, 'The overrides.'),
};
export type SettingAnswer<Name extends keyof typeof settingAnswers> = z.input<(typeof settingAnswers)[Name]>;

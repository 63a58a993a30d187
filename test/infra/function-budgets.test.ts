import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  endpoints,
  mailReportRule,
  queueConsumer,
  reconcileSchedule,
  schedules,
  streamConsumer,
  sweepSchedule,
} from '../../infra/endpoints.ts';
import { functionNames } from '../../infra/function-names.ts';
import { type Bundle, bundlesOf } from '../bench/bundles.ts';

const names = [...functionNames, mailReportRule.function];
const bundles = await bundlesOf(names);
const bundleOf = (name: string): Bundle => bundles.find((bundle) => bundle.name === name)!;

/** The most minified kilobytes of functions that hold more than the SDK, zod and their own noun, and what else they hold. */
const larger: Record<string, { kilobytes: number; because: string }> = {
  'checkout-sessions/create-checkout-session': {
    kilobytes: 524,
    because: 'the tax table, which knows where a product can be sold, discount codes, and tax ids with their registers',
  },
  'checkout-sessions/preview-checkout-session': {
    kilobytes: 507,
    because: 'the tax table, discount codes, and registers of tax ids',
  },
  'countries/list-supported-countries': { kilobytes: 420, because: 'the tax table' },
  'contract/show-docs': {
    kilobytes: 940,
    because: 'the documentation, also as Markdown, and the error page in sixteen languages',
  },
  'contract/get-contract': { kilobytes: 812, because: 'the contract' },
  'payments/get-calculation': { kilobytes: 456, because: 'the tax table' },
  'refunds/create-refund': {
    kilobytes: 413,
    because: 'the portions of a refund, its ceiling, what tells a card from other numbers, and the processor’s refunds',
  },
  'tax/create-tax-registration': { kilobytes: 374, because: 'the check digits of the seller’s tax ids' },
  'tax/update-tax-registration': { kilobytes: 379, because: 'the check digits of the seller’s tax ids' },
  'products/update-product': { kilobytes: 595, because: 'the client of S3' },
  'products/add-product-file': { kilobytes: 569, because: 'the client of S3' },
  'products/upload-image': { kilobytes: 556, because: 'the client of S3' },
  'brands/update-brand': { kilobytes: 570, because: 'the client of S3' },
  'brands/upload-logo': { kilobytes: 548, because: 'the client of S3' },
  'entitlements/get-entitlement': { kilobytes: 556, because: 'the client of S3' },
  'entitlements/update-entitlement': { kilobytes: 571, because: 'the client of S3' },
  'entitlements/manage-entitlements': {
    kilobytes: 838,
    because: 'its pages in four languages, who got it, the queue of a pool, the import of keys, and the client of S3',
  },
  'entitlements/add-file': { kilobytes: 557, because: 'the client of S3' },
  'entitlements/get-file': { kilobytes: 557, because: 'the client of S3' },
  'entitlements/remove-file': { kilobytes: 554, because: 'the client of S3' },
  'license-keys/reissue-license-key': {
    kilobytes: 603,
    because: 'the mail about the new key in sixteen languages, and the client of SES',
  },
  'grants/manage-grant': {
    kilobytes: 744,
    because: 'its page in four languages, the mail about a new key in sixteen, and the client of SES',
  },
  'entitlements/import-codes': { kilobytes: 399, because: 'the queue of sales that wait for a code' },
  downloads: {
    kilobytes: 851,
    because: 'a page in sixteen languages, the client of S3, and what is noted of mails',
  },
  'images/get-image': { kilobytes: 440, because: 'the client of S3' },
  'webhooks/dispatch-webhook': { kilobytes: 908, because: 'an HTTP client that looks where it connects' },
  'customers/create-portal-session': {
    kilobytes: 730,
    because: 'its mail and the words of the portal in sixteen languages, and the client of SES',
  },
  'customers/erase-customers': { kilobytes: 422, because: 'it issues what is not documented yet' },
  'processor/reconcile-account': {
    kilobytes: 438,
    because: 'all of the processor but its notifications, payouts, and the uses of discount codes',
  },
  'payouts/show-payouts': { kilobytes: 475, because: 'its pages in four languages, and the sales of a payout' },
  'accounting/watch-shop': { kilobytes: 424, because: 'what a payment is, to compare its rows' },
  'accounting/watch-thresholds': { kilobytes: 424, because: 'what it freezes into events' },
  'accounting/run-exports': { kilobytes: 641, because: 'the tax table, and the client of S3' },
  'events/sweep-due': {
    kilobytes: 1_342,
    because:
      'an HTTP client that looks where it connects, the clients of the bus, the queue and SES, the acknowledgement of withdrawals in sixteen languages, and the tax table for ids that are proven late',
  },
  'processor/receive-notification': { kilobytes: 456, because: 'all of the processor, and the uses of discount codes' },
  checkout: {
    kilobytes: 990,
    because:
      'the page and its countries in sixteen languages, the tax table, discount codes, quantities, and registers of tax ids, and the requests of buyers before a withdrawal',
  },
  withdrawals: { kilobytes: 772, because: 'the form and its mails in sixteen languages, and the client of SES' },
  portal: {
    kilobytes: 976,
    because: 'the pages, their mail and the mail of a purchase in sixteen languages, and the client of SES',
  },
  'withdrawals/manage-withdrawals': {
    kilobytes: 770,
    because: 'its pages in four languages, the mail of a decision in sixteen, the refund, and the client of SES',
  },
  'tax-ids': { kilobytes: 755, because: 'the tax table, registers of tax ids, and a page in sixteen languages' },
  'dashboard/manage-products': {
    kilobytes: 1_240,
    because:
      'the form of a price, prices by place and what buyers get, all in four languages, QR codes, the tax table, what cards are charged, and the client of S3',
  },
  dashboard: { kilobytes: 996, because: 'its pages; the client of S3 where there are images' },
  documents: {
    kilobytes: 888,
    because:
      'the document in sixteen languages, its mail with the instructions about withdrawal, and which endpoints hear of it',
  },
  'orders/manage-order': {
    kilobytes: 1_028,
    because:
      'the mail of a purchase with the instructions about withdrawal in sixteen languages, a page of the dashboard, and what became of mails',
  },
  orders: {
    kilobytes: 910,
    because:
      'the page of an order in sixteen languages, the period of withdrawal, the queue of a pool, the client of S3, and what is noted of mails',
  },
  invoices: {
    kilobytes: 1_810,
    because: 'the document and the confirmation of a contract in sixteen languages, XML, and a PDF writer',
  },
  'disputes/choose-ground-form': { kilobytes: 561, because: 'the page of a dispute in four languages' },
  members: { kilobytes: 561, because: 'its pages, faults and designed mails in four languages, and the client of SES' },
  routing: { kilobytes: 416, because: 'the error pages of buyers and members in all their languages' },
};
const rowsOnly = { kilobytes: 397, because: 'it reads and writes rows, packed ones too' };

const budgetOf = (name: string) => larger[name] ?? larger[name.split('/')[0] ?? ''] ?? rowsOnly;

it.each(names)('the bundle of %s stays within its size budget', (name) => {
  expect(bundleOf(name).bytes / 1_000).toBeLessThanOrEqual(budgetOf(name).kilobytes);
});

/** The file that is the whole of a part of Stripe, and what a bundle has of ours for the processor and the secrets. */
const partFiles = {
  charges: 'shared/outside/processor/stripe/stripe-charges.ts',
  refunds: 'shared/outside/processor/stripe/stripe-refunds.ts',
  disputes: 'shared/outside/processor/stripe/stripe-disputes.ts',
  records: 'shared/outside/processor/stripe/stripe-records.ts',
  payouts: 'shared/outside/processor/stripe/stripe-payouts.ts',
  notifications: 'shared/outside/processor/stripe/notification.ts',
} as const;

describe('every function bundle', () => {
  it('imports nothing but Node’s own modules', () => {
    for (const { name, missing } of bundles)
      expect([name, missing.filter((module) => !isBuiltin(module))]).toEqual([name, []]);
  });

  it('uses our zod copy that shares simple schemas', () => {
    const lacking = bundles.filter(
      ({ packages, inputs }) => packages.has('zod') && !inputs.includes('infra/constructs/bundling/shared-schemas.ts'),
    );
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });

  it('builds no request schema to show the checkout page', () => {
    for (const file of ['shared/wire/values.ts', 'shared/wire/addresses.ts', 'shared/wire/metadata.ts'])
      expect(bundleOf('checkout/show-checkout').inputs).not.toContain(file);
  });

  it('contains zod’s English error texts and no other languages', () => {
    const languages = bundles.flatMap(({ inputs }) =>
      inputs.flatMap((file) => /zod\/v4\/locales\/([^/]+)\.js$/.exec(file)?.[1] ?? []),
    );
    expect(new Set(languages.filter((language) => language !== 'index'))).toEqual(new Set(['en']));
  });

  it('defers an import only where that saves time, because deferred modules load slower', () => {
    const deferring = new Set(bundles.flatMap(({ defers }) => defers));
    expect(deferring).toEqual(
      new Set(['shared/wiring/images.ts', 'shared/wiring/files.ts', 'shared/documents/pdf/lazy-pdf.ts']),
    );
    const handlesImages = new Set(endpoints.filter(({ images }) => images).map((line) => line.function));
    const handlesFiles = new Set(endpoints.filter(({ buyerFiles }) => buyerFiles).map((line) => line.function));
    for (const { name, defers } of bundles) {
      expect([name, defers.includes('shared/wiring/images.ts')]).toEqual([name, handlesImages.has(name)]);
      expect([name, defers.includes('shared/wiring/files.ts')]).toEqual([name, handlesFiles.has(name)]);
    }
  });

  it('contains only the processor parts that its line of the route table names', () => {
    const lines = [...endpoints, sweepSchedule, reconcileSchedule];
    for (const { name, inputs } of bundles) {
      const line = lines.find((one) => one.function === name);
      const named: readonly string[] = (line && 'processor' in line && line.processor) || [];
      for (const [part, file] of Object.entries(partFiles))
        expect([name, part, inputs.includes(file)]).toEqual([name, part, named.includes(part)]);
      const asksRegisters = line !== undefined && 'registers' in line && line.registers === true;
      expect([name, inputs.includes('shared/outside/parameters/secret.ts')]).toEqual([
        name,
        named.length > 0 || asksRegisters,
      ]);
    }
  });

  it('contains the tax id registers only if its line of the route table names them', () => {
    const lines = [...endpoints, sweepSchedule];
    for (const { name, inputs } of bundles) {
      const line = lines.find((one) => one.function === name);
      const asksRegisters = line !== undefined && 'registers' in line && line.registers === true;
      expect([name, inputs.includes('shared/outside/registers/vies.ts')]).toEqual([name, asksRegisters]);
    }
  });

  it('contains only the AWS clients that its line of the route table needs', () => {
    const lines = [...endpoints, streamConsumer, queueConsumer, ...schedules];
    for (const { name, packages } of bundles) {
      const line = lines.find((one) => one.function === name);
      const called = [
        ...(line && Object.keys(line.table).length > 0 ? ['@aws-sdk/client-dynamodb'] : []),
        ...(line && (('images' in line && line.images) || 'exports' in line || 'buyerFiles' in line)
          ? ['@aws-sdk/client-s3']
          : []),
        ...(line === streamConsumer || line === sweepSchedule
          ? ['@aws-sdk/client-eventbridge', '@aws-sdk/client-sqs']
          : []),
        ...(line && 'mails' in line && line.mails ? ['@aws-sdk/client-sesv2'] : []),
      ];
      const clients = [...packages].filter((one) => one.startsWith('@aws-sdk/client-')).sort();
      if (line) expect([name, clients]).toEqual([name, called.sort()]);
    }
  });

  it('contains the PDF library only if it draws documents', () => {
    const drawing = bundles.filter(({ packages }) => packages.has('pdfkit') || packages.has('fontkit'));
    expect(drawing.map(({ name }) => name)).toEqual(['invoices/get-invoice', 'invoices/get-credit-note']);
  });
});

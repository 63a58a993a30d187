import { describe, expect, it } from 'vitest';
import { boxesOf } from '../../shared/dashboard/returns/declared-boxes.ts';
import type { ZeroReason } from '../../shared/domain/checkout/tax.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import type { ReturnKind } from '../../shared/domain/reports/export-job.ts';
import { aPayment } from '../support/shop/payments.ts';

interface Sold {
  country: string;
  rate?: string | null;
  reason?: ZeroReason | null;
  taxedIn?: string;
}

/** A sale of lines with these taxes. */
function sold(...lines: Sold[]): Payment {
  const payment = aPayment(lines.map(() => ({ unitAmount: 1_000 })));
  const [{ country = '' } = {}] = lines;
  return {
    ...payment,
    calculation: { ...payment.calculation, country },
    lines: payment.lines.map((line, index) => {
      const { rate = null, reason = null, taxedIn } = lines[index] as Sold;
      const components = line.components.map((one) => ({ ...one, rate, reason }));
      return { ...line, components, ...(taxedIn && { taxedIn }) };
    }),
  };
}

const boxesIn = (kind: ReturnKind, payment: Payment, merchantCountry: string): string[] => {
  const settings = { merchantCountry, merchantRegion: undefined, registrations: [], overrides: [] };
  const rules = { collectPolicy: 'everywhere', onUnsupported: 'zero', onUnverifiedTaxId: 'charge' } as const;
  const declared = { kind, from: '2026-01-01', to: '2026-03-31', key: `sale ${payment.id}`, isLate: false };
  return boxesOf(declared, { payment, refunds: [], adjustments: [], settings: { ...settings, ...rules } });
};

const relieved = { country: 'GB', reason: 'reverse_charge' } as const;

describe('the boxes that the page of a sale names', () => {
  it.each<{ sale: string; kind: ReturnKind; seller: string; lines: Sold[]; boxes: string[] }>([
    {
      sale: 'an exempt sale at home',
      kind: 'home',
      seller: 'DE',
      lines: [{ country: 'DE', reason: 'exempt' }],
      boxes: ['home exempt'],
    },
    {
      sale: 'a sale at a rate without a number',
      kind: 'home',
      seller: 'FR',
      lines: [{ country: 'FR', rate: '0.2' }],
      boxes: ['home 20'],
    },
    { sale: 'a taxed sale', kind: 'gb', seller: 'GB', lines: [{ country: 'GB', rate: '0.2' }], boxes: ['1', '6'] },
    { sale: 'a sale whose business owes the tax', kind: 'gb', seller: 'DE', lines: [relieved], boxes: ['detail'] },
    {
      sale: 'a taxed sale',
      kind: 'ch',
      seller: 'CH',
      lines: [{ country: 'CH', rate: '0.026' }],
      boxes: ['200', '313', '399'],
    },
    {
      sale: 'an exempt sale',
      kind: 'ch',
      seller: 'CH',
      lines: [{ country: 'CH', reason: 'exempt' }],
      boxes: ['200', '230'],
    },
    {
      sale: 'a sale outside the tax',
      kind: 'ch',
      seller: 'CH',
      lines: [{ country: 'CH', reason: 'no_tax' }],
      boxes: ['200', '221'],
    },
    {
      sale: 'a sale outside the tax',
      kind: 'ch',
      seller: 'DE',
      lines: [{ country: 'CH', reason: 'no_tax' }],
      boxes: ['detail'],
    },
    {
      sale: 'a sale abroad',
      kind: 'ch',
      seller: 'CH',
      lines: [{ country: 'DE', rate: '0.19' }],
      boxes: ['200', '221'],
    },
    {
      ...{ sale: 'a sale with a line that is taxed at home', kind: 'oss', seller: 'DE' },
      lines: [
        { country: 'FR', rate: '0.2' },
        { country: 'FR', rate: '0.07', taxedIn: 'DE' },
      ],
      boxes: ['supply FR 20'],
    },
    {
      ...{ sale: 'a small seller’s sale', kind: 'general', seller: 'DE' },
      lines: [{ country: 'FR', rate: '0.07', taxedIn: 'DE' }],
      boxes: ['sale DE'],
    },
  ])('are $boxes for $sale of a seller in $seller, in the return $kind', ({ kind, seller, lines, boxes }) =>
    expect(boxesIn(kind, sold(...lines), seller)).toEqual(boxes),
  );
});

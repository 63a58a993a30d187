import { toMillionths } from '../domain/money/rounding.ts';
import type { RateRow } from './rates/rate-row.ts';

/** The region in the rate table that stands for a sale within one Indian state. */
export const intraState = '*intra-state*';

/** Union territories without a legislature levy UTGST instead of SGST (UTGST Act 2017, s. 1; CGST Act, s. 2(114)). */
const withoutLegislature: ReadonlySet<string> = new Set(['AN', 'CH', 'DH', 'LA', 'LD']);

/**
 * Splits a category's IGST row into two equal halves, if the table has no separate row. The halves keep the id of the
 * IGST row.
 */
export function intraStateRow(interState: RateRow): RateRow {
  const halves = interState.components.map(({ rate, baseFraction }) => ({ rate: half(rate), baseFraction }));
  const components = ['CGST', 'SGST'].flatMap((name) => halves.map((component) => ({ name, ...component })));
  return { ...interState, components };
}

/** The name of the half of the tax that the state levies. */
export const stateTaxName = (name: string, region: string | undefined): string =>
  name === 'SGST' && withoutLegislature.has(region ?? '') ? 'UTGST' : name;

function half(rate: string): string {
  const digits = String(toMillionths(rate) * 5n).padStart(8, '0');
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`.replace(/\.?0+$/, '');
}

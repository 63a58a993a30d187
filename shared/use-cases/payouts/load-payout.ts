import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutLine } from '../../domain/payouts/payout-line.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';

export interface LoadPayoutDeps {
  payouts: Pick<PayoutStore, 'get' | 'lines'>;
}

/** A payout with some of its lines. */
export interface PayoutView {
  payout: Payout;
  lines: readonly PayoutLine[];
}

/** The most parts of lines that one file has: 10,000 lines. */
export const partsOfFile = 100;

/** How many files the lines of a payout need. */
export const fileCountOf = ({ read }: Pick<Payout, 'read'>): number => Math.ceil(read.parts / partsOfFile);

/** Loads a payout with one part of its lines. */
export async function loadPayout({ payouts }: LoadPayoutDeps, id: string, part: number): Promise<PayoutView> {
  const payout = await payouts.get(id);
  const isThere = part >= 1 && part <= payout.read.parts;
  return { payout, lines: isThere ? await payouts.lines(id, { from: part, to: part }) : [] };
}

/** Loads a payout with the lines of one of its files. */
export async function loadPayoutFile({ payouts }: LoadPayoutDeps, id: string, file: number): Promise<PayoutView> {
  const payout = await payouts.get(id);
  const from = (file - 1) * partsOfFile + 1;
  const isThere = file >= 1 && file <= fileCountOf(payout);
  return { payout, lines: isThere ? await payouts.lines(id, { from, to: from + partsOfFile - 1 }) : [] };
}

import type { Payment } from '../payments/payment.ts';
import type { Declaration } from './declaration.ts';

/**
 * The payment after its contract has ended without a refund. The declared lines give nothing from now on. Undefined if
 * they already give nothing.
 */
export function endedByWithdrawal(
  payment: Payment,
  { lines: declared }: Pick<Declaration, 'lines'>,
  now: string,
): Payment | undefined {
  const isEnding = (line: number) =>
    (declared === null || declared.includes(line)) &&
    payment.lines[line]?.entitlements !== undefined &&
    payment.lines[line]?.isWithdrawn !== true;
  if (payment.status !== 'succeeded' || !payment.lines.some((_, line) => isEnding(line))) return undefined;
  const lines = payment.lines.map((one, line) => (isEnding(line) ? { ...one, isWithdrawn: true as const } : one));
  return { ...payment, lines, updatedAt: now };
}

import { refuse } from '../errors.ts';
import { sum } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { LineEntitlement } from './line-entitlement.ts';

/** The most licence keys and codes that one cart may need. */
export const maxKeysOfCart = 20;

interface GivingLine {
  quantity: number;
  entitlements?: readonly LineEntitlement[] | undefined;
}

/**
 * How many keys, codes or other things a line gives. Keys and codes are given for each unit, everything else once for
 * each line.
 */
export const grantedUnits = (type: LineEntitlement['type'], quantity: number): number =>
  type === 'license_key' ? quantity : 1;

const keysOf = ({ quantity, entitlements = [] }: GivingLine): number =>
  sum(entitlements.filter(({ type }) => type === 'license_key').map(({ type }) => grantedUnits(type, quantity)));

/** Refuses a cart that would need too many licence keys and codes. */
export function assertFewKeys(lines: readonly GivingLine[], path: string): void {
  const keys = sum(lines.map(keysOf));
  if (keys <= maxKeysOfCart) return;
  throw refuse('INVALID_REQUEST_PARAMETERS', path, brokenRule(sentences.cart_keys, { keys, most: maxKeysOfCart }));
}

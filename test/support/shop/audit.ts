import { expect } from 'vitest';
import type { Written } from '../table/rows.ts';

/**
 * Checks that an audited command writes one audit entry, in the transaction of its change, and that any other command
 * writes none.
 */
export function expectAudit(writes: readonly Written[], isAudited: boolean): void {
  const audited = writes.filter((entities) => entities.includes('AUDIT'));
  expect(audited).toHaveLength(isAudited ? 1 : 0);
  for (const entities of audited) {
    expect(entities.filter((entity) => entity === 'AUDIT')).toHaveLength(1);
    expect(entities.filter((entity) => entity !== 'AUDIT' && entity !== 'IDEM')).not.toEqual([]);
  }
}

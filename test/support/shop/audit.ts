import { expect } from 'vitest';
import type { Written } from '../table/rows.ts';

/** A command that the audit log is for leaves one entry, in a transaction with what it changes; any other leaves none. */
export function expectAudit(writes: readonly Written[], isAudited: boolean): void {
  const audited = writes.filter((entities) => entities.includes('AUDIT'));
  expect(audited).toHaveLength(isAudited ? 1 : 0);
  for (const entities of audited) {
    expect(entities.filter((entity) => entity === 'AUDIT')).toHaveLength(1);
    expect(entities.filter((entity) => entity !== 'AUDIT' && entity !== 'IDEM')).not.toEqual([]);
  }
}

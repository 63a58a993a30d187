import { type SupersededTable, superseded } from './superseded-tables.ts';

/**
 * Finds a fact in the first table, from a version on to today's, that differs from today's there. Undefined if
 * today's fact applies, as for an unknown version.
 */
export function earlierFact<Fact>(
  version: string,
  factIn: (table: SupersededTable) => Fact | undefined,
): Fact | undefined {
  const at = superseded.tables.findIndex((table) => table.version === version);
  return superseded.tables
    .slice(0, at + 1)
    .map(factIn)
    .findLast((fact) => fact !== undefined);
}

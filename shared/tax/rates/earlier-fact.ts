import { type SupersededTable, superseded } from './superseded-tables.ts';

/**
 * Finds the fact of an older table. It looks at the tables from a version up to the current one, and takes the first
 * fact that differs from the current one. Undefined if the current fact applies, or if the version is unknown.
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

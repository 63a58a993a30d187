import { breaks, type Drift } from './compare.ts';
import list from './known-drift.json' with { type: 'json' };

/** A drift that stays, and why. A field is named by its last words. */
export interface KnownDrift {
  fields: readonly string[];
  what: string;
  reason: string;
}

export const knownDrifts: readonly KnownDrift[] = list;

const covers = (known: KnownDrift, { where, what }: Drift): boolean =>
  known.what === what && known.fields.some((field) => where === field || where.endsWith(`.${field}`));

/** Of the drifts that break programs, those that the list has and has not; and what it has that is no longer seen. */
export function judgeDrifts(drifts: readonly Drift[], known: readonly KnownDrift[]) {
  const breaking = drifts.filter(breaks);
  const isListed = (drift: Drift): boolean => known.some((one) => covers(one, drift));
  return {
    unlisted: breaking.filter((drift) => !isListed(drift)),
    listed: breaking.filter(isListed),
    stale: known.filter((one) => !breaking.some((drift) => covers(one, drift))),
  };
}
